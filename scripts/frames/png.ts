// A terminal's screen as a PNG file: always the same one for the same screen, because the renderer and its fonts are known.
import { existsSync, readFileSync } from "node:fs";
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import type { Picture } from "../../test/surface/tui/emulator.ts";
import { svgOf } from "./svg.ts";

/** As `scripts/install.mjs` installs them. */
const fonts = [
  "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf",
  "/usr/share/fonts/truetype/dejavu/DejaVuSansMono-Bold.ttf",
  "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
  "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf",
];

let ready: Promise<void> | null = null;
let buffers: Uint8Array[] = [];

/** Twice as large as it is on a screen, for screens that are finer. */
export async function pngOf(picture: Picture, zoom = 2): Promise<Uint8Array> {
  ready ??= load();
  await ready;
  const font = { fontBuffers: buffers, defaultFontFamily: "DejaVu Sans Mono", monospaceFamily: "DejaVu Sans Mono" };
  const image = new Resvg(svgOf(picture), { font, fitTo: { mode: "zoom", value: zoom } });
  return image.render().asPng();
}

async function load(): Promise<void> {
  const missing = fonts.filter((path) => !existsSync(path));
  if (missing.length > 0)
    throw new Error(
      `fonts are missing: ${missing.join(", ")}\n(Debian: apt-get install fonts-dejavu-core fonts-droid-fallback)`,
    );
  buffers = fonts.map((path) => new Uint8Array(readFileSync(path)));
  await initWasm(readFileSync(Bun.resolveSync("@resvg/resvg-wasm/index_bg.wasm", import.meta.dir)));
}
