// Back to before a message: first which one, then what.
import { sessionTime } from "../../../command/text/rows.ts";
import type { EnginePort, Rewindable } from "../../../engine/port.ts";
import { type Look, words } from "../terminal/look.ts";
import type { Panel } from "./panel.ts";
import { Picker, type PickerItem } from "./picker.ts";
import type { PickersHost } from "./pickers.ts";

interface RewindHost extends PickersHost {
  readonly open: (panel: Panel) => () => void;
}

type RewindPort = Pick<EnginePort, "rewindable" | "state" | "settings">;

export function rewindPicker(look: Look, port: RewindPort, host: RewindHost): Panel {
  const time = sessionTime(port);
  const messages = port.rewindable();
  const { rewound, tasks } = port.state();
  const back: PickerItem<Rewindable | null> = { label: words(look, "tui.rewind.return"), note: "/redo", value: null };
  const items = messages.map((value): PickerItem<Rewindable | null> => {
    const files = value.files.length > 0 ? value.files.join(", ") : words(look, "tui.rewind.no_files");
    return { label: value.text, note: `${time.format(value.at)} · ${files}`, value };
  });
  const choose = (message: Rewindable | null): void => {
    host.close();
    if (message === null) host.send("/redo");
    else howTo(look, { port, host, message, newer: messages.filter(({ n }) => n <= message.n) });
  };
  const title = words(look, "tui.rewind.title");
  const all = rewound !== null && rewound.tasks === tasks ? [...items, back] : items;
  return new Picker(look, { title, items: all, isTall: true, choose, close: host.close, redraw: host.redraw });
}

interface Chosen {
  readonly port: RewindPort;
  readonly host: RewindHost;
  readonly message: Rewindable;
  /** It and those sent since. */
  readonly newer: readonly Rewindable[];
}

function howTo(look: Look, { port, host, message, newer }: Chosen): void {
  const files = [...new Set(newer.flatMap((one) => one.files))];
  const reverts =
    files.length > 0 ? words(look, "tui.rewind.reverts", { files: files.join(", ") }) : words(look, "tui.rewind.same");
  const running = port.state().jobs.filter(({ end }) => end === null);
  const jobs = running.map(({ id }) => id).join(", ");
  const also = (note: string): string =>
    jobs === "" ? note : [words(look, "tui.rewind.jobs", { jobs }), note].join(" · ");
  const item = (kind: "both" | "messages" | "files", note: string): PickerItem<string> => ({
    ...{ label: words(look, `tui.rewind.${kind}`), note, value: `/rewind ${message.n} ${kind}` },
  });
  const items = [
    item("both", also(reverts)),
    item("messages", also(words(look, "tui.rewind.stay"))),
    item("files", words(look, "tui.rewind.here", { files: reverts })),
  ];
  const choose = (command: string): void => {
    close();
    host.send(command);
  };
  const title = words(look, "tui.rewind.how", { text: message.text });
  const close = host.open(
    new Picker(look, { title, items, isTall: true, choose, close: () => close(), redraw: host.redraw }),
  );
}
