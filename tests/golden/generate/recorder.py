# SPDX-License-Identifier: GPL-3.0-or-later
"""An HTTP server on 127.0.0.1 for trackers.py and sagemaker_jobs.py: keeps requests, answers from a function."""
import gzip, http.server, json, threading, time, urllib.parse, urllib.request, zlib


def body_of(headers, raw):
    """The body as JSON where it is JSON, else as text, else its length."""
    encoding = (headers.get("Content-Encoding") or "").lower()
    if encoding == "gzip":
        raw = gzip.decompress(raw)
    elif encoding == "deflate":
        raw = zlib.decompress(raw)
    elif encoding == "zstd":
        return {"zstd_bytes": len(raw)}, raw
    if not raw:
        return None, raw
    try:
        return json.loads(raw), raw
    except ValueError:
        pass
    kind = headers.get("Content-Type") or ""
    if kind.startswith("application/x-www-form-urlencoded"):
        return {k: v if len(v) > 1 else v[0] for k, v in urllib.parse.parse_qs(raw.decode(), keep_blank_values=True).items()}, raw
    if kind.startswith("multipart/form-data"):
        return {"multipart": parts_of(kind, raw)}, raw
    try:
        text = raw.decode()
        if all(c.isprintable() or c in "\r\n\t" for c in text):
            return {"text": text}, raw
    except UnicodeDecodeError:
        pass
    return {"bytes": len(raw)}, raw


def parts_of(kind, raw):
    boundary = kind.split("boundary=")[1].strip('"').encode()
    parts = []
    for part in raw.split(b"--" + boundary)[1:-1]:
        head, _, content = part.strip(b"\r\n").partition(b"\r\n\r\n")
        row = {"headers": sorted(line.decode() for line in head.split(b"\r\n") if line)}
        try:
            row["text"] = content.decode()
        except UnicodeDecodeError:
            row["bytes"] = len(content)
        parts.append(row)
    return parts


class Server:
    """answer(request) -> (status, JSON or bytes[, headers]); request: method, path, query, headers, body, raw, number."""

    def __init__(self, answer):
        self.requests, self.answer, self.lock = [], answer, threading.Lock()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self):
                if "chunked" in (self.headers.get("Transfer-Encoding") or ""):
                    raw = b""
                    while True:
                        size = int(self.rfile.readline().split(b";")[0], 16)
                        raw += self.rfile.read(size)
                        self.rfile.readline()
                        if size == 0:
                            break
                else:
                    raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                url = urllib.parse.urlsplit(self.path)
                body, raw = body_of(self.headers, raw)
                request = {"method": self.command, "path": urllib.parse.unquote(url.path), "raw_path": self.path,
                           "query": dict(urllib.parse.parse_qsl(url.query, keep_blank_values=True)),
                           "headers": dict(self.headers.items()), "body": body, "raw": raw, "time": time.time()}
                with outer.lock:
                    request["number"] = len(outer.requests)
                    outer.requests.append(request)
                try:
                    status, content, *more = outer.answer(request)
                except Exception as e:
                    status, content, more = 599, {"generator_error": repr(e)}, []
                headers = dict(more[0]) if more else {}
                if content is not None and not isinstance(content, bytes):
                    content = json.dumps(content).encode()
                    headers.setdefault("Content-Type", "application/json")
                content = content or b""
                request["status"], request["answer"] = status, content
                try:
                    self.send_response(status)
                    for k, v in headers.items():
                        self.send_header(k, v)
                    self.send_header("Content-Length", str(len(content)))
                    self.end_headers()
                    if self.command != "HEAD":
                        self.wfile.write(content)
                except OSError:
                    request["client_left"] = True

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_OPTIONS = handle_any

            def log_message(self, *a):
                pass

            def handle(self):
                try:
                    super().handle()
                except OSError:
                    pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def take(self):
        with self.lock:
            rows, self.requests = self.requests, []
        return rows

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def forward(base):
    """An answer function that hands the request on to a real server."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def answer(request):
        keep = {k: v for k, v in request["headers"].items()
                if k.lower() not in ("host", "content-length", "content-encoding", "accept-encoding", "connection", "transfer-encoding")}
        data = request["raw"] if request["method"] in ("POST", "PUT", "PATCH", "DELETE") else None
        call = urllib.request.Request(base + request["raw_path"], data=data, headers=keep, method=request["method"])
        try:
            with opener.open(call, timeout=60) as r:
                return r.status, r.read(), {"Content-Type": r.headers.get("Content-Type") or "application/json"}
        except urllib.error.HTTPError as e:
            return e.code, e.read(), {"Content-Type": e.headers.get("Content-Type") or "application/json"}
    return answer
