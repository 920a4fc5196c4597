"""
Serves groundwire to agents over the Model Context Protocol.

`server` builds the server and its tools (`create_server`), `results` has what the tools return, and `folders` reads
sources from the folders that the server may read. The server has no network access of its own and reads no other file.
It needs the extra `mcp`.
"""

from groundwire.lazy import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from groundwire.mcp.server import create_server

__all__ = ["create_server"]

__getattr__, __dir__ = lazy_names(globals(), {"create_server": "groundwire.mcp.server"})
