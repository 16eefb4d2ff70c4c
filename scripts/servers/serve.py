# Serves every repository of this machine with dulwich, on loopback, to
# scripts/servers.sh: serve.py git|http PORT
import sys
from wsgiref.simple_server import make_server

from dulwich.server import FileSystemBackend, TCPGitServer
from dulwich.web import make_wsgi_chain


class Backend(FileSystemBackend):
    def open_repository(self, path):
        # dulwich 0.21 has bytes here where git:// was asked
        return super().open_repository(path.decode() if isinstance(path, bytes) else path)


kind, port = sys.argv[1], int(sys.argv[2])
if kind == "git":
    TCPGitServer(Backend("/"), "127.0.0.1", port).serve_forever()
else:
    make_server("127.0.0.1", port, make_wsgi_chain(Backend("/"))).serve_forever()
