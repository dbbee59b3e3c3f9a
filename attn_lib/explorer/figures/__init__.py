"""The live figures, one module each."""
