import type { Detail } from "../blocks/block.ts";
import { type Look, words } from "../terminal/look.ts";
import { Pager } from "./pager.ts";
import type { Panel } from "./panel.ts";
import { Picker } from "./picker.ts";

interface DetailsDeps {
  /** Newest first. */
  readonly details: readonly Detail[];
  /** Opens a panel on top; returns the function that closes it. */
  readonly open: (panel: Panel) => () => void;
  readonly close: () => void;
  readonly redraw: () => void;
}

/** Every block that has more to show. */
export function detailsPicker(look: Look, { details, open, close, redraw }: DetailsDeps): Panel {
  const show = (detail: Detail): void => {
    const shut = open(new Pager(look, detail, () => shut()));
  };
  const items = details.map((value) => ({ label: value.title, value }));
  return new Picker(look, { title: words(look, "tui.details.title"), items, choose: show, close, redraw });
}
