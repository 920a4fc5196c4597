"""
What units of sources have of a claim, layer by layer; each layer says where, how much, and why.
"""
