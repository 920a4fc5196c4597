"""How often a threshold accepts what is not there, and rejects what is: measured on labelled quotes."""
