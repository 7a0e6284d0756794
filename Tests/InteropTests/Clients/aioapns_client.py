"""Sends pushes with aioapns and prints what each came to, one JSON object on one line.

Reads its task as JSON from standard input: {port, ca, key, keyID, teamID, topic, pushes: [{token, id, priority}]}.
aioapns offers no protocol in TLS (ALPN), sends `host` in the place of `:authority`, and finds an answer by its apns-id.
"""

import asyncio
import json
import ssl
import sys

from aioapns import APNs, NotificationRequest, PushType
from aioapns.connection import APNsProductionClientProtocol


async def send(task):
    APNsProductionClientProtocol.APNS_SERVER = "localhost"
    APNsProductionClientProtocol.APNS_PORT = task["port"]
    client = APNs(
        key=task["key"],
        key_id=task["keyID"],
        team_id=task["teamID"],
        topic=task["topic"],
        max_connections=1,
        ssl_context=ssl.create_default_context(cafile=task["ca"]),
    )

    async def push(each):
        request = NotificationRequest(
            device_token=each["token"],
            message={"aps": {"content-available": 1}, "locationId": "東京駅"},
            notification_id=each["id"],
            time_to_live=600,
            priority=each["priority"],
            collapse_key="place-1",
            push_type=PushType.BACKGROUND,
        )
        result = await asyncio.wait_for(client.send_notification(request), 20)
        return {
            "id": result.notification_id,
            "status": int(result.status),
            "reason": result.description,
            "timestamp": result.timestamp,
        }

    # One stream until the first good token: aioapns would not wait for the first SETTINGS.
    first, *others = task["pushes"]
    results = [await push(first)]
    results += await asyncio.gather(*(push(each) for each in others))
    client.pool.close()
    return results


print(json.dumps(asyncio.run(send(json.load(sys.stdin)))))
