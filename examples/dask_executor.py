"""Build on a Dask cluster: `python build.py build --executor examples.dask_executor:executor --jobs 8`.

With DASK_ADDRESS in the environment the work goes to that scheduler, else to a cluster made on this machine.
"""

from __future__ import annotations

import os

from distributed import Client, LocalCluster
from distributed.cfexecutor import ClientExecutor


class DaskExecutor(ClientExecutor):
    """Dask's own executor, but that it closes what was opened for it."""

    def __init__(self, client: Client, cluster: LocalCluster | None) -> None:
        super().__init__(client)
        self._cluster = cluster

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the work, then the connection, then the cluster if it is ours."""
        super().shutdown(wait and not cancel_futures)
        self._client.close()
        if self._cluster:
            self._cluster.close()


def executor(jobs: int) -> DaskExecutor:
    """Workers of the cluster at DASK_ADDRESS, or `jobs` processes here."""
    address = os.environ.get("DASK_ADDRESS")
    if address:
        return DaskExecutor(Client(address, set_as_default=False), None)
    cluster = LocalCluster(n_workers=jobs, threads_per_worker=1, dashboard_address=None)
    return DaskExecutor(Client(cluster, set_as_default=False), cluster)
