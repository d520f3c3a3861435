# SPDX-License-Identifier: GPL-3.0-or-later
"""What the trackers' servers answer, as little as their clients need. Each function makes an answer function for recorder.Server."""
import base64, json, re


def jwt(claims):
    def part(x):
        return base64.urlsafe_b64encode(json.dumps(x).encode()).decode().rstrip("=")
    return part({"alg": "HS256", "typ": "JWT"}) + "." + part(claims) + ".c2ln"


def swanlab(state):
    """state: project_exists, experiment_exists."""
    experiment = {"cuid": "exp0", "slug": "run0", "name": "a-run", "createdAt": "2023-11-14T22:13:20.000Z"}

    def answer(r):
        p, m = r["path"], r["method"]
        if p == "/api/login/api_key":
            return 200, {"sid": "dummy-session", "expiredAt": "2099-01-01T00:00:00.000Z", "userInfo": {"username": "someone"}}
        if m == "GET" and re.fullmatch(r"/api/project/[^/]+/[^/]+", p):
            user, name = p.split("/")[3:]
            if not state.setdefault("project_exists", False):
                return 404, {"code": "Disabled_Resource", "message": "no such project"}
            return 200, {"cuid": "project0", "name": name, "path": f"/{user}/{name}", "visibility": "PRIVATE", "version": 1, "group": {"username": user},
                         "_count": {"experiments": 0, "contributors": 1, "collaborators": 0, "clones": 0}}
        if m == "POST" and re.fullmatch(r"/api/projects/[^/]+", p):
            state["project_exists"] = True
            return 201, {}
        if p.endswith("/experiment"):
            old = state.get("experiment_exists", False)
            cuid = (r["body"] or {}).get("cuid") or "exp0"
            return (200 if old else 201), {**experiment, "cuid": cuid, "slug": cuid, "name": r["body"].get("name") or "a-run"}
        if "/runs/" in p and m == "GET":
            return (200, {**experiment, "cuid": p.split("/")[-1]}) if state.get("experiment_exists") else (404, {})
        if "/house/metrics/summaries/" in p:
            return 200, state.get("summaries", {"log": [], "media": [], "scalar": []})
        if p.endswith("/resources/presigned/put"):
            return 200, {"urls": [f"{state['url']}/upload/{x}" for x in r["body"]["paths"]]}
        if p.endswith("/files/prepare"):
            return 200, {"urls": [f"{state['url']}/upload/{x['path']}" for x in r["body"]["files"]]}
        return 200, {}
    return answer


def clearml(state):
    """state: tasks {id: fields}."""
    tasks = state.setdefault("tasks", {})
    projects = state.setdefault("projects", {})
    token = jwt({"iat": 1700000000, "exp": 4000000000, "identity": {"user": "user0", "company": "company0", "role": "user"},
                 "auth_type": "Bearer", "api_version": "2.31", "server_version": "1.16.0", "server_build": "1", "feature_set": "basic"})

    def answer(r):
        call, body = r["path"].split("/")[-1], r["body"] if isinstance(r["body"], dict) else {}
        status, data = 200, {}
        if r["path"].startswith("/upload") or r["method"] in ("PUT", "HEAD") or (r["method"] == "POST" and r["path"] in ("/", "")):
            return 200, {}
        if call == "auth.login":
            data = {"token": token}
        elif call == "projects.get_all":
            name = (body.get("name") or "").strip("^$").replace("\\", "")
            data = {"projects": [{"id": i, "name": n} for i, n in projects.items() if n == name or i in (body.get("id") or [])]}
        elif call == "projects.create":
            key = f"project{len(projects)}"
            projects[key] = body["name"]
            data = {"id": key}
        elif call == "projects.get_by_id":
            data = {"project": {"id": body.get("project"), "name": projects.get(body.get("project"), "demo")}}
        elif call == "tasks.create":
            key = f"task{len(tasks)}"
            tasks[key] = {"id": key, "status": "created", "company": "company0", "user": "user0", "created": "2023-11-14T22:13:20.000000+00:00",
                          "last_update": "2023-11-14T22:13:20.000000+00:00", "last_iteration": 0, "execution": {}, "script": {}, "hyperparams": {},
                          "configuration": {}, "tags": [], **body}
            data = {"id": key}
        elif call in ("tasks.get_by_id", "tasks.get_all", "tasks.get_all_ex"):
            if call == "tasks.get_by_id":
                data = {"task": tasks.get(body.get("task"), {})}
            else:
                wanted = body.get("id") or []
                data = {"tasks": [t for k, t in tasks.items() if not wanted or k in wanted]}
        elif call in ("tasks.edit", "tasks.update"):
            task = tasks.setdefault(body.get("task"), {})
            task.update({k: v for k, v in body.items() if k not in ("task", "force")})
            data = {"updated": 1, "fields": {}}
        elif call in ("tasks.started", "tasks.completed", "tasks.stopped", "tasks.failed", "tasks.close"):
            new = {"tasks.started": "in_progress", "tasks.completed": "completed", "tasks.stopped": "stopped", "tasks.failed": "failed"}.get(call, "closed")
            tasks.setdefault(body.get("task"), {})["status"] = new
            data = {"updated": 1, "fields": {"status": new}, "started": 1}
        elif call == "events.add_batch":
            text = r["raw"].decode("utf-8", "replace")
            data = {"added": text.count("\n") + 1, "errors": 0, "errors_info": {}}
        else:
            data = {"updated": 1}
        return status, {"meta": {"id": "0", "trx": "0", "endpoint": {"name": call, "requested_version": "2.23", "actual_version": "1.0"},
                                 "result_code": 200, "result_subcode": 0, "result_msg": "OK"}, "data": data}
    return answer


def comet(state):
    """state: known {experiment key}."""
    def answer(r):
        p = r["path"]
        if p.endswith("/isAlive/ver"):
            return 200, {"msg": "Healthy Server", "version": "3.3.700"}
        if p.endswith("/logger/add/run") or p.endswith("/logger/get/run"):
            return 200, {"runId": "run0", "project_id": "project0", "experimentKey": (r["body"] or {}).get("experimentKey"), "focusUrl": state["url"] + "/",
                         "lastOffset": 0, "upload_file_size_limit_in_mb": 500, "featureToggles": [], "githubEnabled": False, "name": "a-run",
                         "cometWebAssetUrl": state["url"] + "/api/asset/download", "cometRestApiAssetUrl": state["url"] + "/api/rest/v2/experiment/asset"}
        if "status-report/update" in p:
            return 200, {"is_alive_beat_duration_millis": 60000, "gpu_monitor_interval_millis": 60000, "cpu_monitor_interval_millis": 60000,
                         "parameter_update_interval_millis": 2000, "pending_rpcs": False}
        if p.endswith("/experiment/metadata"):
            key = r["query"].get("experimentKey")
            return 200, {"experimentKey": key, "workspaceName": "someone", "projectName": "demo", "projectId": "project0", "experimentName": "a-run", "startTimeMillis": 1700000000000, "endTimeMillis": 1700000060000,
                         "durationMillis": 60000, "running": False, "archived": False, "throttle": False, "userName": "someone"}
        if "account-details" in p:
            return 200, {"userName": "someone", "defaultWorkspaceName": "someone"}
        return 200, {"msg": "ok"}
    return answer


def wandb(state):
    """state: resume (what a run that is there answers, or nothing)."""
    def answer(r):
        p, body = r["path"], r["body"] if isinstance(r["body"], dict) else {}
        if p == "/graphql":
            call, given = body.get("operationName"), body.get("variables") or {}
            if call == "Viewer":
                return 200, {"data": {"viewer": {"id": "user0", "entity": "someone", "username": "someone", "email": "someone@example.com",
                                                 "flags": "{}", "teams": {"edges": []}}}}
            if call == "ServerFeaturesQuery":
                return 200, {"data": {"serverInfo": {"features": []}}}
            if call == "UpsertBucket":
                state["run"] = given.get("name") or state.get("run") or "run0"
                return 200, {"data": {"upsertBucket": {"bucket": {
                    "id": "bucket0", "name": state["run"], "displayName": given.get("displayName") or "a-run", "description": None, "config": None,
                    "sweepName": None, "project": {"id": "project0", "name": given.get("project") or "demo", "entity": {"id": "entity0", "name": "someone"}},
                    "historyLineCount": None}, "inserted": True}}}
            if call == "RunResumeStatus":
                return 200, {"data": {"model": state.get("resume")}}
            if call == "CreateRunFiles":
                return 200, {"data": {"createRunFiles": {"runID": "bucket0", "uploadHeaders": [], "files": [
                    {"name": n, "uploadUrl": state["url"] + "/upload/" + n} for n in given["files"]]}}}
            if call == "CreateArtifact":
                state["artifacts"] = state.get("artifacts", 0) + 1
                return 200, {"data": {"createArtifact": {"artifact": {"id": f"artifact{state['artifacts']}", "state": "COMMITTED",
                                                                      "artifactSequence": {"id": "sequence0", "latestArtifact": None}}}}}
            return 200, {"data": {}}
        return 200, {}
    return answer


def failing(first, status, delay=0.0, after=0):
    """Like `first` for `after` requests, then `status` for ever, `delay` seconds late."""
    import time
    seen = [0]

    def answer(r):
        seen[0] += 1
        if seen[0] <= after:
            return first(r)
        if delay:
            time.sleep(delay)
        if status is None:
            return first(r)
        return status, {"error_code": "INTERNAL_ERROR" if status >= 500 else "UNAUTHENTICATED", "message": f"made to fail with {status}"}
    return answer
