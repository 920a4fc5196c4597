"""
The JSON API of the review page.

`claims` has the endpoints, `schemas` the types of requests and responses, and `openapi` the list of operations and the
endpoints for operators.
"""
