"""How far an answer is supported by what it cites: rules, risk, and what to do next."""
