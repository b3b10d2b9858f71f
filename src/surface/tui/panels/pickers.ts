import { sessionTime } from "../../../command/text/rows.ts";
import { dollars, inDollars } from "../../../contract/show/money.ts";
import { spelledOut } from "../../../contract/show/visible.ts";
import { type Mode, modes, type Preset, presets } from "../../../contract/task.ts";
import { langs, phrase, say } from "../../../contract/text/catalogue.ts";
import { themes } from "../../../contract/ui.ts";
import type { EnginePort, KnownModel, Undoable } from "../../../engine/port.ts";
import { ruleText } from "../../../policy/rule/text.ts";
import type { Detail } from "../blocks/block.ts";
import { type Look, words } from "../terminal/look.ts";
import { shownCount } from "../terminal/measure.ts";
import { Pager } from "./pager.ts";
import type { Panel } from "./panel.ts";
import { Picker, type PickerDeps, type PickerItem } from "./picker.ts";

export interface PickersHost {
  readonly send: (command: string) => void;
  readonly close: () => void;
  readonly redraw: () => void;
}

function commandPicker(
  look: Look,
  { send, close, redraw }: PickersHost,
  parts: Pick<PickerDeps<string>, "title" | "items" | "isTall">,
): Panel {
  const choose = (command: string): void => {
    close();
    send(command);
  };
  return new Picker(look, { ...parts, choose, close, redraw });
}

export function modelPicker(look: Look, port: Pick<EnginePort, "knownModels" | "state">, host: PickersHost): Panel {
  const now = port.state().model;
  const items = port.knownModels().then((known) =>
    [...known]
      .sort((a, b) => Number(b.isUsable) - Number(a.isUsable))
      .map((model) => ({
        ...{
          label: model.ref,
          note: modelNote(look, model),
          value: `/${model.isUsable ? "model" : "setup"} ${model.ref}`,
          isNow: model.ref === now,
        },
      })),
  );
  return commandPicker(look, host, { title: words(look, "tui.model.title"), items });
}

function modelNote(look: Look, { contextWindow, price, isUsable }: KnownModel): string {
  const cost =
    price && price.input + price.output > 0
      ? [`${dollars(inDollars(price.input))} / ${dollars(inDollars(price.output))}`]
      : [];
  const key = isUsable ? [] : [words(look, "tui.model.no_key")];
  return [...key, shownCount(contextWindow), ...cost].join(" · ");
}

/** Nobody scrolls through more; the title says so, and older sessions can be opened by id. */
const MOST_SESSIONS = 200;

export function resumePicker(
  look: Look,
  port: Pick<EnginePort, "sessions" | "settings" | "state">,
  host: PickersHost,
): Panel {
  const time = sessionTime(port);
  const now = port.state().id;
  // The current session, while empty, is nothing to go back to.
  const known = port.sessions(MOST_SESSIONS + 1).filter(({ id, title }) => id !== now || title !== "");
  const items = known.slice(0, MOST_SESSIONS).map(({ id, title, updatedAt, model }) => ({
    ...{ label: title || id, note: [id, time.format(updatedAt), model].filter(Boolean).join(" · ") },
    ...{ value: `/resume ${id}`, isNow: id === now },
  }));
  const isAll = known.length === items.length;
  const title = isAll ? words(look, "tui.resume.title") : words(look, "tui.resume.newest", { n: MOST_SESSIONS });
  return commandPicker(look, host, { title, items, isTall: true });
}

export function modePicker(look: Look, port: Pick<EnginePort, "state">, host: PickersHost): Panel {
  const now = port.state().mode;
  const items = modes.map((mode: Mode) => ({
    ...{ label: mode, note: words(look, `tui.mode.${mode}`), value: `/mode ${mode}`, isNow: mode === now },
  }));
  return commandPicker(look, host, { title: words(look, "tui.mode.title"), items });
}

/** Choosing one opens it in the user's editor. */
export function memoryPicker(look: Look, { about }: Pick<EnginePort, "about">, host: PickersHost): Panel {
  const items = about
    .memory()
    .then((files) =>
      files.map(({ file, name, state }) => ({
        ...{ label: name, note: words(look, `command.memory.${state}`), value: `/memory ${file}` },
      })),
    )
    .catch(() => []);
  return commandPicker(look, host, { title: words(look, "tui.memory.title"), items });
}

export function themePicker(look: Look, { settings }: Pick<EnginePort, "settings">, host: PickersHost): Panel {
  const items = themes.map((theme) => ({
    ...{ label: theme, note: words(look, `tui.theme.${theme}`), value: `/theme ${theme}` },
    isNow: theme === settings.ui.theme,
  }));
  return commandPicker(look, host, { title: words(look, "tui.theme.title"), items });
}

/** Each in its own language, for someone who cannot read the other. */
export function langPicker(look: Look, { settings }: Pick<EnginePort, "settings">, host: PickersHost): Panel {
  const items = langs.map((lang) => ({
    ...{ label: say(lang, phrase("tui.lang.name")), note: lang, value: `/lang ${lang}`, isNow: lang === settings.lang },
  }));
  return commandPicker(look, host, { title: words(look, "tui.lang.title"), items });
}

export function permissionsPicker(look: Look, port: Pick<EnginePort, "state" | "rules">, host: PickersHost): Panel {
  const now = port.state().preset;
  const choices = presets.map((preset: Preset) => ({
    ...{ label: preset, note: words(look, `tui.preset.${preset}`) },
    ...{ value: `/permissions ${preset}`, isNow: preset === now },
  }));
  const kept: readonly PickerItem<string>[] = port.rules().flatMap((rule) => {
    if (!("id" in rule)) return [];
    const text = spelledOut(ruleText(rule));
    return [
      { label: words(look, "tui.rule.remove", { rule: text }), note: rule.source, value: `/permissions rm ${rule.id}` },
    ];
  });
  return commandPicker(look, host, { title: words(look, "tui.permissions.title"), items: [...choices, ...kept] });
}

export function undoPicker(
  look: Look,
  port: Pick<EnginePort, "settings">,
  items: readonly Undoable[],
  host: PickersHost,
): Panel {
  const time = sessionTime(port);
  const asItem = ({ n, text, files, at }: Undoable): PickerItem<string> => ({
    ...{ label: `${n}  ${text.split("\n")[0] ?? ""}`, note: `${time.format(at)} · ${files.join(", ")}` },
    value: `/undo ${n}`,
  });
  return commandPicker(look, host, { title: words(look, "tui.undo.title"), items: items.map(asItem) });
}

interface DetailsDeps {
  readonly details: readonly Detail[];
  readonly open: (panel: Panel) => () => void;
  readonly close: () => void;
  readonly redraw: () => void;
}

export function detailsPicker(look: Look, { details, open, close, redraw }: DetailsDeps): Panel {
  const show = (detail: Detail): void => {
    const shut = open(new Pager(look, detail, () => shut()));
  };
  const items = details.map((value) => ({ label: value.title, value }));
  return new Picker(look, { title: words(look, "tui.details.title"), items, choose: show, close, redraw });
}
