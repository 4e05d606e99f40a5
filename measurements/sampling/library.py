"""The same choices as one writes them in PyTorch: probabilities by softmax, the allowed ones by a top-k or a sort."""

from __future__ import annotations

import sys
from functools import partial

import torch

from measurements.harness.pytorch import emit
from measurements.harness.timing import seconds
from measurements.sampling.effect import BATCHES, VOCABULARY, K, P

ROWS = 512  # that lie in memory, five times an H100's L2
CALLS = 4
HEAD_START = 4_000_000  # cycles that the GPU waits, so that no call waits for the host


def drawn(probabilities: torch.Tensor) -> torch.Tensor:
    """The place of one number of each row, as likely as the number is large: none waits for the host, as
    `torch.multinomial` does.
    """
    return (probabilities / torch.empty_like(probabilities).exponential_()).argmax(-1, keepdim=True)


def argmax(logits: torch.Tensor) -> torch.Tensor:
    """The greatest."""
    return logits.argmax(-1, keepdim=True)


def sample(logits: torch.Tensor) -> torch.Tensor:
    """One of all."""
    return drawn(torch.softmax(logits, -1))


def top_k(logits: torch.Tensor) -> torch.Tensor:
    """One of the k greatest."""
    greatest, tokens = logits.topk(K)
    return tokens.gather(-1, drawn(torch.softmax(greatest, -1)))


def top_p(logits: torch.Tensor) -> torch.Tensor:
    """One of the likeliest that hold a share of the probability; the last that is needed belongs to them."""
    descending, tokens = logits.sort(descending=True)
    probabilities = torch.softmax(descending, -1)
    above = probabilities.cumsum(-1) - probabilities
    return tokens.gather(-1, drawn(probabilities.masked_fill(above >= P, 0.0)))


METHODS = {"argmax": argmax, "sample": sample, "top-k": top_k, "top-p": top_p}


def demand_allowed(method: str, logits: torch.Tensor, tokens: torch.Tensor) -> None:
    """Stop if a token isn't allowed: a wrong program's time says nothing."""
    above = logits > logits.gather(-1, tokens)
    mass = (torch.softmax(logits.double(), -1) * above).sum(-1)
    allowed = {
        "argmax": ~above.any(-1),
        "sample": mass < 1,
        "top-k": above.sum(-1) < K,
        "top-p": mass < P + 1e-4,
    }[method]
    if not bool(allowed.all()):
        sys.exit(f"{method} took tokens that are not allowed, in {int((~allowed).sum())} rows")


class Turns:
    """A method over one batch after the other, so that none is still in L2 when it is read again."""

    def __init__(self, method: str, logits: torch.Tensor, batch: int) -> None:
        self.method, self.logits, self.batch, self.first = METHODS[method], logits, batch, 0

    def __call__(self) -> torch.Tensor:
        rows = self.logits[self.first : self.first + self.batch]
        self.first = (self.first + self.batch) % ROWS
        return self.method(rows)


if __name__ == "__main__":
    logits = 3 * torch.randn(ROWS, VOCABULARY, device="cuda")
    for method in METHODS:
        for batch in BATCHES:
            call = Turns(method, logits, batch)
            demand_allowed(method, logits[:batch], call())
            times = seconds(call, calls=CALLS, before=partial(torch.cuda._sleep, HEAD_START))
            emit("time", times, by="torch", method=method, batch=batch)
