"""Sends requests with httpx over HTTP/2 and prints the answers, one JSON array on one line.

Reads its task as JSON from standard input: {port, ca, requests: [{method, path, headers: {}, body}]}.
The first request goes alone, the others at once over the same connection.
"""

import asyncio
import json
import ssl
import sys

import httpx


async def send(task):
    context = ssl.create_default_context(cafile=task["ca"])
    base = f"https://localhost:{task['port']}"
    async with httpx.AsyncClient(http1=False, http2=True, verify=context, base_url=base, timeout=20) as client:

        async def one(each):
            answer = await client.request(
                each["method"], each["path"], headers=each["headers"], content=each["body"].encode()
            )
            return {
                "version": answer.http_version,
                "status": answer.status_code,
                "headers": dict(answer.headers),
                "body": answer.text,
            }

        first, *others = task["requests"]
        results = [await one(first)]
        results += await asyncio.gather(*(one(each) for each in others))
        return results


print(json.dumps(asyncio.run(send(json.load(sys.stdin)))))
