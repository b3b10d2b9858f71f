/**
 * The program that tries changes of Python files under pytest: one process, a forked child for each change, and no file is written:
 * the child's import system sees the changed text. It prints one line, `screened {…}`. `JOB` stands before it.
 */
export const pythonText = String.raw`
import ast, gc, importlib.machinery, json, math, os, resource, select, signal, sys, time

sys.dont_write_bytecode = True
sys.path[:] = [one for one in sys.path if one not in ("", os.getcwd())]
os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
began = time.monotonic()
OUT = os.dup(1)
LOADED_EARLY = 77


def say(**said):
    os.write(OUT, ("screened " + json.dumps(said) + "\n").encode())
    os._exit(0)


try:
    import pytest
except ImportError:
    say(why="cannot")

TEXTS = []
for path, size in JOB["files"]:
    with open(path, encoding="utf-8", newline="") as file:
        TEXTS.append(file.read())
    if len(TEXTS[-1].encode("utf-16-le")) // 2 not in (size, size - 1):
        say(why="cannot")
PATHS = [os.path.realpath(path) for path, _ in JOB["files"]]
LIMIT = 2.0


def edited(number):
    file, start, end, _, _, text = JOB["tries"][number]
    units = TEXTS[file].encode("utf-16-le")
    return PATHS[file], (units[:2 * start] + text.encode("utf-16-le") + units[2 * end:]).decode("utf-16-le")


def show(path, text):
    """From now on the import system finds this text there."""
    loader = importlib.machinery.SourceFileLoader
    get_data, path_stats = loader.get_data, loader.path_stats

    def is_it(name):
        return name.endswith(".py") and os.path.realpath(name) == path

    def data(self, name):
        return text.encode() if is_it(name) else get_data(self, name)

    def stats(self, name):
        if is_it(name):
            raise OSError("no compiled file")
        return path_stats(self, name)

    loader.get_data, loader.path_stats = data, stats


class Slow(BaseException):
    pass


class Plugin:
    """Runs the failing tests first, and stops as soon as more would say nothing."""

    def __init__(self):
        self.failed, self.passed, self.times = [], [], []
        self.lines, self.by_test, self.session, self.pipe = set(), {}, None, None

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session):
        # All is set up and no test is loaded: the best moment to fork. Too late if a conftest.py has loaded what is changed.
        self.session = session
        if self.pipe is None:
            names = [getattr(one, "__file__", None) for one in list(sys.modules.values())]
            if any(isinstance(name, str) and os.path.realpath(name) in PATHS for name in names):
                os._exit(LOADED_EARLY)
            main(self)

    def take(self, pipe, number, failing, limit):
        self.pipe, self.failing, self.limit, self.traced = pipe, failing, limit, number is None

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, exitstatus):
        said = {"code": int(exitstatus), "failed": self.failed, "passed": self.passed}
        said["slowest"] = max(self.times, default=0)
        if self.traced:
            said["lines"] = {test: sorted(lines) for test, lines in self.by_test.items()}
        with os.fdopen(self.pipe, "w") as out:
            out.write(json.dumps(said))
        os._exit(0)

    def pytest_collection_modifyitems(self, items):
        items.sort(key=lambda item: item.nodeid not in self.failing)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self, item):
        def slow(*_):
            raise Slow()

        self.lines = set()
        signal.signal(signal.SIGALRM, slow)
        signal.setitimer(signal.ITIMER_REAL, self.limit)
        start = time.monotonic()
        if self.traced:
            sys.settrace(self.trace)
        yield
        sys.settrace(None)
        signal.setitimer(signal.ITIMER_REAL, 0)
        self.times.append(time.monotonic() - start)
        self.by_test[item.nodeid] = self.lines

    def trace(self, frame, event, _):
        name = frame.f_code.co_filename
        if name not in FILES:
            FILES[name] = PATHS.index(os.path.realpath(name)) if os.path.realpath(name) in PATHS else None
        if FILES[name] is None:
            return None
        self.lines.add((FILES[name], frame.f_lineno))
        return self.trace

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.failed.append(report.nodeid)
        elif report.when == "call" and report.passed:
            self.passed.append(report.nodeid)
        if self.traced or not self.failed:
            return
        left = [one for one in self.failing if one not in self.failed and one not in self.passed]
        news = any(one not in self.failing for one in self.failed)
        if news or not left or (len(self.failed) > 2 and not self.passed):
            self.session.shouldstop = "enough"


FILES = {}


def quiet():
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)


class Child(Exception):
    """Leads out of the loops of the parent, in a child."""


def start(plugin, number, failing, limit):
    inward, outward = os.pipe()
    pid = os.fork()
    if pid:
        os.close(outward)
        return pid, inward
    os.close(inward)
    os.setsid()
    resource.setrlimit(resource.RLIMIT_DATA, (2 << 30, resource.getrlimit(resource.RLIMIT_DATA)[1]))
    if number is not None:
        show(*edited(number))
    plugin.take(outward, number, failing, limit)
    raise Child()


def results(plugin, numbers, failing, limit, longest, at_once):
    """What came of each change, in the order in which they end; None for one that did not end."""
    waiting, running = list(numbers), {}
    while waiting or running:
        while waiting and len(running) < at_once:
            number = waiting.pop(0)
            pid, pipe = start(plugin, number, failing, limit)
            running[pipe] = (number, pid, time.monotonic() + longest, [])
        ends = min(deadline for _, _, deadline, _ in running.values())
        ready = select.select(list(running), [], [], max(0, ends - time.monotonic()))[0]
        late = [pipe for pipe, one in running.items() if one[2] <= time.monotonic()]
        for pipe in set(ready) | set(late):
            number, pid, _, parts = running[pipe]
            part = os.read(pipe, 65536) if pipe in ready else b""
            if part:
                parts.append(part)
                continue
            del running[pipe]
            os.close(pipe)
            try:
                os.killpg(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            os.waitpid(pid, 0)
            text = b"".join(parts)
            if (yield number, json.loads(text) if text else None):
                for _, other, _, _ in running.values():
                    try:
                        os.killpg(other, signal.SIGKILL)
                    except ProcessLookupError:
                        pass
                    os.waitpid(other, 0)
                return


def statement_lines(text):
    """For each line of a statement, the lines of the statement; of a compound one those of its head."""
    spans = {}
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return spans
    for node in ast.walk(tree):
        if not isinstance(node, ast.stmt):
            continue
        body = getattr(node, "body", None)
        last = body[0].lineno - 1 if isinstance(body, list) and body else node.end_lineno
        for line in range(node.lineno, max(last, node.lineno) + 1):
            spans[line] = range(node.lineno, max(last, node.lineno) + 1)
    return spans


def ranked(base):
    """The changes on lines that failing tests run, the likeliest first."""
    failing = set(base["failed"])
    hits = {}
    for test, lines in base["lines"].items():
        for file, line in lines:
            hits.setdefault((file, line), [0, 0])[0 if test in failing else 1] += 1
    spans = [statement_lines(text) for text in TEXTS]
    inside = [body_lines(text) for text in TEXTS]
    scored = []
    for number, (file, _, _, line, weight, _) in enumerate(JOB["tries"]):
        lines = spans[file].get(line, [line])
        failed = max(hits.get((file, one), [0, 0])[0] for one in lines)
        passed = max(hits.get((file, one), [0, 0])[1] for one in lines)
        near = failed / math.sqrt(len(failing) * (failed + passed)) if failed else 0
        if failed or line not in inside[file]:
            scored.append((-weight * (0.3 + 0.7 * near if failed else 0.25), number))
    return [number for _, number in sorted(scored)]


def body_lines(text):
    lines = set()
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return lines
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            lines.update(range(node.body[0].lineno, node.end_lineno + 1))
    return lines


def main(plugin):
    gc.disable()
    gc.freeze()
    try:
        screen(plugin)
    except Child:
        pass


def screen(plugin):
    longest = JOB["seconds"]
    base = next(results(plugin, [None], [], LIMIT, longest / 2, 1))[1]
    if base is None or not base["lines"] or not base["failed"]:
        say(why="cannot")
    if not any(base["lines"].get(test) for test in base["failed"]):
        say(why="unseen")
    failing = list(dict.fromkeys(base["failed"]))
    limit = max(0.5, min(LIMIT, 5 * base["slowest"]))
    took = time.monotonic() - began
    order = ranked(base)
    passed, better, tried, first = [], [], 0, None
    every = results(plugin, order, failing, limit, 2 + took + 3 * limit, min(4, os.cpu_count() or 1))
    stop = None
    while True:
        try:
            number, said = every.send(stop)
        except StopIteration:
            break
        tried += 1
        now = time.monotonic()
        if said is not None:
            cured = sum(1 for one in failing if one in said["passed"] and one not in said["failed"])
            if said["code"] == 0 and cured == len(failing):
                passed.append(number)
                first = first or now
            elif cured and all(one in failing for one in said["failed"]):
                better.append([number, cured])
        stop = now - began > longest or len(passed) >= JOB["most"] or (first is not None and now - first > JOB["after"] + first - began)
    rank = {number: at for at, number in enumerate(order)}
    passed.sort(key=rank.get)
    better.sort(key=lambda one: (-one[1], rank[one[0]]))
    why = "time" if tried < len(order) and not passed else "done"
    say(why=why, tried=tried, of=len(order), passed=passed, better=better[:5], ms=round(1000 * (time.monotonic() - began)))


def run_pytest(plugin):
    pytest.main(["-q", "-p", "no:cacheprovider", "--tb=no", "--assert=plain", *JOB["tests"]], plugins=[plugin])
    os._exit(0)


quiet()
early = os.fork()
if early == 0:
    run_pytest(Plugin())
if os.WEXITSTATUS(os.waitpid(early, 0)[1]) == LOADED_EARLY:
    late = Plugin()
    main(late)
    run_pytest(late)
`;
