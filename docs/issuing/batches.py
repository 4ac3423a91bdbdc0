import time
from pathlib import Path

from gatehouse import call

# region checkBatch
checked = call(
    "POST",
    "/api/documents/batches/check",
    Path("graduates.csv").read_bytes(),
    type="text/csv",
    query={"title": "Certificate III in Individual Support", "date": "2026-11-20"},
)
print(checked["rows"], "rows without problems")
# end region

# region createBatch
batch = call(
    "POST",
    "/api/documents/batches",
    Path("graduates.csv").read_bytes(),
    type="text/csv",
    query={"title": "Certificate III in Individual Support", "date": "2026-11-20"},
    idempotency_key="graduates-2026-11-20",
)
print(batch["id"])
# end region

# region readBatch
while True:
    batch = call("GET", f"/api/documents/batches/{batch['id']}")
    print(batch["state"], batch["issued"], "of", batch["rows"])
    if batch["state"] != "issuing":
        break
    time.sleep(5)
# end region

# region sendBatch
call("POST", f"/api/documents/batches/{batch['id']}/send")
# end region

# region readBatchResults
results = call("GET", f"/api/documents/batches/{batch['id']}/results")
Path("results.csv").write_bytes(results)
# end region

# region listBatches
for each in call("GET", "/api/documents/batches")["data"]:
    print(each["id"], each["file_name"], each["state"])
# end region

batch = call(
    "POST",
    "/api/documents/batches",
    Path("graduates.csv").read_bytes(),
    type="text/csv",
    query={"title": "Certificate III in Individual Support", "date": "2026-11-20"},
)

# region cancelBatch
call("POST", f"/api/documents/batches/{batch['id']}/cancel")
# end region
