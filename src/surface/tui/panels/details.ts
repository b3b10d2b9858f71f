import type { Detail } from "../blocks/block.ts";
import { type Look, words } from "../terminal/look.ts";
import { Pager } from "./pager.ts";
import type { Panel } from "./panel.ts";
import { Picker } from "./picker.ts";

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
