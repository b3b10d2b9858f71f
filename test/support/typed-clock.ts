// Preloaded into coder by `sitDownTimed`: from the first `tick` on, time as coder measures it moves only by what is typed. A busy machine
// then changes nothing about how long a key is held or how soon it follows a question.

/** Around a command among the keys. No keyboard sends it. */
export const mark = "\uf8ff";

/** The number of the answer to `sync`; terminals know nothing by it. */
export const syncedOsc = 7_777;

type Listener = (text: string) => void;

const realNow = performance.now.bind(performance);
let stoppedAt: number | null = null;
let rest = "";
const wrapped = new WeakMap<Listener, Listener>();

function obey(command: string): void {
  const [name, value] = command.split(" ");
  if (name === "tick") stoppedAt = (stoppedAt ?? realNow()) + Number(value);
  if (name === "sync") process.stdout.write(`\x1b]${syncedOsc};${value}\x07`);
}

function wrap(listener: Listener): Listener {
  const own = (text: string): void => {
    const parts = `${rest}${text}`.split(mark);
    rest = parts.length % 2 === 0 ? `${mark}${parts.pop()}` : "";
    for (const [at, part] of parts.entries()) {
      if (at % 2 === 1) obey(part);
      else if (part !== "") listener(part);
    }
  };
  wrapped.set(listener, own);
  return own;
}

if (process.env.CODER_TEST_TYPED_CLOCK === "1") {
  delete process.env.CODER_TEST_TYPED_CLOCK;
  performance.now = () => stoppedAt ?? realNow();
  const { stdin } = process;
  const [on, off] = [stdin.on.bind(stdin), stdin.off.bind(stdin)];
  stdin.on = ((name: string, listener: Listener) => on(name, name === "data" ? wrap(listener) : listener)) as typeof on;
  stdin.off = ((name: string, listener: Listener) => off(name, wrapped.get(listener) ?? listener)) as typeof off;
}
