"""
What every HTTP server here needs: the service (`groundwire.server`) and the review page (`groundwire.review.web`).

`server` runs an app in one process of uvicorn, with strict parsing, time-outs and a limit of connections. `requests`
checks hosts, heads and origins of requests, and reads bodies within limits. `responses` has problems and the counts of
responses. `openapi` has the types of bodies, and describes an API by them.
"""
