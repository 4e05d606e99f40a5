"""The scenes of this site, one folder each."""
