"""An APNs on the Python package h2 that takes nothing on trust, and answers in every way that HTTP/2 allows.

Reads its task, one line of JSON, from standard input, prints its port and ends when standard input does. The task:
  certificate, key, log   files
  conduct                 how it behaves:
    settings              [{identifier: value}], one after the other; the last is followed by the first
    settingsEvery         so many requests of a connection lie between two of them; 0: only the first is sent
    credit                how many bytes a WINDOW_UPDATE of a stream gives back; 0: as many as came
    goAwayEvery           a connection takes so many requests; 0: any number
The log gets a JSON line for each answer {id, token, body, status, connection}, for each thing that was wrong {wrong},
and for the end of each connection {settings, acknowledged, pings, pongs, goAways}.
"""

import asyncio
import json
import re
import ssl
import sys

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.exceptions
import hyperframe.frame

FIELDS = {
    ":method": "POST",
    ":scheme": "https",
    ":authority": r"localhost:\d+",
    ":path": r"/3/device/[0-9a-f]{64}",
    "authorization": r"bearer [\w-]+\.[\w-]+\.[\w-]+",
    "apns-topic": r"com\.example\.shop",
    "apns-push-type": "background",
    "apns-priority": "5",
    "apns-expiration": r"\d+",
    "apns-id": r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}",
}
OPTIONAL = {"apns-collapse-id": r".{1,64}", "content-length": r"\d+"}
UNREGISTERED = {"reason": "Unregistered", "timestamp": 1799000000123}
UNKNOWN_FRAME = b"\x00\x00\x05\xfa\xff\x00\x00\x00\x00hello"
CONNECTION_WINDOW_LOW = 2000
STREAM_ID_MAX = 2**31 - 1

task = json.loads(sys.stdin.readline())
conduct = task["conduct"]
log_file = open(task["log"], "w", encoding="utf-8", buffering=1)
seen = {}
connections = 0


def log(**entry):
    log_file.write(json.dumps(entry) + "\n")


class Peer:
    """One connection."""

    def __init__(self, reader, writer):
        global connections
        connections += 1
        self.number = connections
        self.reader, self.writer = reader, writer
        config = h2.config.H2Configuration(client_side=False, header_encoding="utf-8")
        self.connection = h2.connection.H2Connection(config)
        self.requests = {}
        self.answers = []
        self.ignored = set()
        self.count = self.debt = 0
        self.sent = self.acknowledged = self.pings = self.pongs = self.due = 0
        self.go_aways = []
        self.is_done = False

    def wrong(self, text):
        log(wrong=f"connection {self.number}: {text}")

    async def run(self):
        wire = self.writer.get_extra_info("ssl_object")
        if wire.selected_alpn_protocol() != "h2":
            self.wrong(f"ALPN {wire.selected_alpn_protocol()}")
        if wire.version() not in ("TLSv1.2", "TLSv1.3"):
            self.wrong(wire.version())
        # The settings follow the default ones, and so count from their acknowledgement on, as they must.
        self.connection.initiate_connection()
        self.sent += 1
        self.change_settings()
        try:
            while True:
                self.writer.write(self.connection.data_to_send())
                await self.writer.drain()
                data = await self.reader.read(65536)
                if not data:
                    break
                for event in self.connection.receive_data(data):
                    self.handle(event)
                self.answer()
        except h2.exceptions.ProtocolError as error:
            self.wrong(f"{type(error).__name__}: {error}")
        except ConnectionError:
            pass
        if self.answers:
            self.wrong(f"left {len(self.answers)} answers behind")
        log(
            settings=self.sent, acknowledged=self.acknowledged, pings=self.pings, pongs=self.pongs,
            goAways=len(self.go_aways),
        )
        self.writer.close()

    # What comes

    def handle(self, event):
        if isinstance(event, h2.events.RequestReceived):
            self.begin(event.stream_id, event.headers)
        elif isinstance(event, h2.events.DataReceived):
            self.take(event)
        elif isinstance(event, h2.events.StreamEnded):
            self.end(event.stream_id)
        elif isinstance(event, h2.events.SettingsAcknowledged):
            self.acknowledged += 1
            self.send_settings()
        elif isinstance(event, h2.events.PingAckReceived):
            self.pong(event.ping_data)
        elif isinstance(event, h2.events.StreamReset):
            self.wrong(f"stream {event.stream_id} was reset with {event.error_code}")
        elif isinstance(event, h2.events.ConnectionTerminated) and event.error_code != 0:
            self.wrong(f"GOAWAY {event.error_code} {event.additional_data}")
        elif isinstance(event, (h2.events.TrailersReceived, h2.events.UnknownFrameReceived)):
            self.wrong(f"{event}")

    def begin(self, stream, headers):
        if self.is_done:
            self.wrong(f"stream {stream} was opened after the GOAWAY was seen")
        if self.go_aways and stream > self.go_aways[-1]:
            self.ignored.add(stream)
            return
        self.requests[stream] = (headers, bytearray())
        self.count += 1
        self.judge(headers)
        token = dict(headers)[":path"][-64:]
        if token.startswith("e2") and token not in seen:
            seen[token] = 1
            self.connection.reset_stream(stream, h2.errors.ErrorCodes.REFUSED_STREAM)
            del self.requests[stream]
            self.record(headers, b"", 0)
        if conduct["settingsEvery"] and self.count % conduct["settingsEvery"] == 0:
            self.change_settings()
        if conduct["goAwayEvery"] and self.count == conduct["goAwayEvery"]:
            # Every other connection warns first, as RFC 9113 advises.
            self.go_away(STREAM_ID_MAX if self.number % 2 else stream)

    def judge(self, headers):
        names = [name for name, _ in headers]
        if names[:4] != list(FIELDS)[:4]:
            self.wrong(f"the fields begin with {names[:4]}")
        for name, pattern in FIELDS.items():
            values = [value for each, value in headers if each == name]
            if len(values) != 1 or not re.fullmatch(pattern, values[0]):
                self.wrong(f"{name} is {values}")
        for name, value in headers:
            if name in FIELDS:
                continue
            if names.count(name) != 1 or not re.fullmatch(OPTIONAL.get(name, "(?!)"), value):
                self.wrong(f"{name} is {value}")

    def take(self, event):
        size = event.flow_controlled_length
        self.debt += size
        while self.debt and self.connection.inbound_flow_control_window < CONNECTION_WINDOW_LOW:
            step = min(self.debt, 100)
            self.connection.increment_flow_control_window(step)
            self.debt -= step
        if event.stream_id in self.requests:
            self.requests[event.stream_id][1].extend(event.data)
        elif event.stream_id not in self.ignored:
            return
        if event.stream_ended is None:
            while size:
                step = min(size, conduct["credit"] or size)
                self.connection.increment_flow_control_window(step, event.stream_id)
                size -= step

    def end(self, stream):
        if stream not in self.requests:
            return
        headers, body = self.requests.pop(stream)
        length = dict(headers).get("content-length")
        if length is not None and int(length) != len(body):
            self.wrong(f"content-length {length} of {len(body)} bytes")
        self.answers.append(self.steps(stream, headers, bytes(body)))

    def pong(self, data):
        self.pongs += 1
        if data == b"go away!":
            if self.go_aways[-1] == STREAM_ID_MAX:
                self.go_away(self.connection.highest_inbound_stream_id)
            self.is_done = True

    # What goes

    def change_settings(self):
        self.due += 1
        self.send_settings()

    def send_settings(self):
        # h2 takes an acknowledgement for all settings that are on the way, so there may be one at a time.
        if not self.due or self.acknowledged < self.sent:
            return
        self.due -= 1
        settings = conduct["settings"]
        change = settings[(self.sent - 1) % len(settings)]
        self.connection.update_settings({int(name): value for name, value in change.items()})
        self.sent += 1
        self.connection.ping(b"are you?")
        self.pings += 1
        self.writer.write(self.connection.data_to_send() + UNKNOWN_FRAME)

    def go_away(self, last):
        self.go_aways.append(last)
        frame = hyperframe.frame.GoAwayFrame(0, last_stream_id=last, additional_data=b'{"reason":"Shutdown"}')
        self.writer.write(self.connection.data_to_send() + frame.serialize())
        if len(self.go_aways) == 1:
            self.connection.ping(b"go away!")
            self.pings += 1

    def answer(self):
        """Lets each answer go one frame further in turn, the newest first, until none can."""
        moved = True
        while moved:
            moved = False
            for each in reversed(list(self.answers)):
                step = next(each, None)
                if step is None:
                    self.answers.remove(each)
                moved = moved or step is not False

    def record(self, headers, body, status):
        fields = dict(headers)
        log(
            id=fields.get("apns-id"), token=fields[":path"][-64:], body=body.decode(), status=status,
            connection=self.number,
        )

    def steps(self, stream, headers, body):
        """The frames of an answer, as the first two digits of the device token ask for them."""
        token = dict(headers)[":path"][-64:]
        kind = token[:2]
        is_first = token not in seen
        seen[token] = 1
        apns_id = ("apns-id", dict(headers).get("apns-id", ""))

        def fields(status, *more, ends=False):
            self.connection.send_headers(stream, [(":status", str(status)), apns_id, *more], end_stream=ends)
            return True

        def data(text, piece, ends=True, padding=None):
            rest = text.encode()
            while rest:
                part, overhead = rest[:piece], 0 if padding is None else padding + 1
                while self.connection.local_flow_control_window(stream) < len(part) + overhead:
                    yield False
                rest = rest[piece:]
                self.connection.send_data(stream, part, end_stream=ends and not rest, pad_length=padding)
                yield True

        json_type = ("content-type", "application/json")
        status = 200
        if kind == "d1":
            yield fields(200)
            self.connection.send_data(stream, b"", end_stream=True)
        elif kind == "d2":
            yield fields(200)
            self.connection.send_headers(stream, [("x-checksum", "1")], end_stream=True)
        elif kind == "d3":
            yield fields(103, ("link", "</a>"))
            yield fields(103)
            yield fields(200, ends=True)
        elif kind == "d4":
            yield fields(200, ("x-long", "x" * 3000), ("set-cookie", "a=b"), ("set-cookie", "c=d"), ("x-empty", ""))
            yield from data("This is no JSON.", 1)
        elif kind == "d5":
            yield fields(200)
            yield from data("half an answ", 4, ends=False)
            self.connection.reset_stream(stream, h2.errors.ErrorCodes.INTERNAL_ERROR)
        elif kind == "90":
            status = 410
            yield fields(410, json_type)
            yield from data(json.dumps(UNREGISTERED), 1)
        elif kind == "91":
            status = 410
            yield fields(410, json_type, ("content-length", str(len(json.dumps(UNREGISTERED)))))
            yield from data(json.dumps(UNREGISTERED), 7, ends=False, padding=200)
            self.connection.send_headers(stream, [("x-checksum", "1")], end_stream=True)
        elif kind == "b0":
            status = 400
            yield fields(400, json_type)
            yield from data('{"reason":"BadDeviceToken"}', 100, ends=False)
            self.connection.send_data(stream, b"", end_stream=True, pad_length=9)
        elif kind == "b1":
            status = 413
            yield fields(413, json_type)
            yield from data('{"reason":"PayloadTooLarge"}' + " " * 20000, 5000)
        elif kind == "e0" and is_first:
            status = 429
            yield fields(429, json_type, ("retry-after", "1"))
            yield from data('{"reason":"TooManyRequests"}', 3)
        elif kind == "e1" and is_first:
            status = 503
            yield fields(503, json_type)
            yield from data('{"reason":"ServiceUnavailable"}', 100)
        elif kind == "e3" and is_first:
            status = 500
            yield fields(500, ("content-type", "text/html"))
            yield from data("<html>" + "oh, " * 1000 + "</html>", 999)
        elif kind == "e4" and is_first:
            status = 0
            self.connection.reset_stream(stream, h2.errors.ErrorCodes.INTERNAL_ERROR)
        elif kind == "e5" and is_first:
            status = 0
            yield fields(410, json_type)
            yield from data('{"reason":"Unreg', 4, ends=False)
            self.connection.reset_stream(stream, h2.errors.ErrorCodes.CANCEL)
        else:
            yield fields(200, ends=True)
        self.record(headers, body, status)


async def main():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(task["certificate"], task["key"])
    context.set_alpn_protocols(["h2"])
    peers = lambda reader, writer: Peer(reader, writer).run()
    server = await asyncio.start_server(peers, "127.0.0.1", 0, ssl=context)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


asyncio.run(main())
