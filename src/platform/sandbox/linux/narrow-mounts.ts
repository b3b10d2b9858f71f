// The view of a command that was proved to be read-only, beside the chosen folders: programs and libraries of the system, without people's
// files, services or settings. The command was judged by its paths; if a symlink on one of them is swapped before it is opened, there is
// nothing to see behind it. See docs/dev/adr/0019.
import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { systemFiles } from "../../../contract/path/system-places.ts";
import type { Confinement } from "../../../contract/sandbox.ts";
import { isWithin } from "../../files/path.ts";
import { listNames } from "../../files/probe.ts";
import { type HomeView, rootOf } from "../home/view.ts";
import { kindOf } from "../protected.ts";
import type { Mount } from "./mounts.ts";

/** Symlinks into /usr on most systems, real folders on some. */
const topFolders = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
const stores = ["/nix/store", "/gnu/store"];
/** Library and program selection, and the time zone. Java's programs do not start without their own settings. */
const settings = /^(?:ld\.so\.cache|ld-musl-.*\.path|alternatives|localtime|java-.*)$/;
const readableFiles = new Set(systemFiles);

let system: readonly Mount[] | undefined;

export function narrowMounts({ programs, shown, names }: Confinement, view: HomeView): readonly Mount[] {
  system ??= [...topFolders.flatMap(asItIs), ...usr(), ...stores.flatMap(asItIs), ...etc()];
  const isThere = (path: string): boolean => system?.some((one) => isWithin(path, one.path)) ?? false;
  // None of the programs that the command starts lie in the workspace; that was proved.
  const others = programs.filter((folder) => !isThere(folder) && !shown.some((one) => isWithin(folder, one)));
  const tools = view.shown.filter(({ path }) => others.some((folder) => isWithin(folder, path)));
  const rest = others.filter((folder) => !tools.some(({ path }) => isWithin(folder, path)) && existsSync(folder));
  return [
    ...system,
    ...(names ? ["/etc/passwd", "/etc/group"].map((path): Mount => ({ path, kind: "read" })) : []),
    ...tools.map(({ path, source }): Mount => ({ path, kind: "read", ...(source === path ? {} : { source }) })),
    ...view.hidden.filter((path) => tools.some(({ source }) => isWithin(path, source))).flatMap(hidden),
    ...rest.slice(0, 8).map((folder): Mount => ({ path: rootOf(folder), kind: "read" })),
  ];
}

function hidden(path: string): readonly Mount[] {
  const kind = kindOf(path);
  return kind === "none" ? [] : [{ path, kind: kind === "folder" ? "empty" : "nothing" }];
}

function asItIs(path: string): readonly Mount[] {
  const kind = kindOf(path);
  if (kind === "link") return [{ path, kind: "link", source: readlinkSync(path) }];
  return kind === "folder" ? [{ path, kind: "read" }] : [];
}

/** Hides /usr/src, and all of /usr/local but programs and libraries. */
function usr(): readonly Mount[] {
  const local = ["bin", "sbin", "lib", "libexec", "include"].map((name) => `/usr/local/${name}`);
  const own = local.filter((path) => listNames(path).length > 0);
  const covered = ["/usr/local", "/usr/src"].filter((path) => kindOf(path) === "folder");
  return [
    { path: "/usr", kind: "read" },
    ...covered.map((path): Mount => ({ path, kind: "veil" })),
    ...own.map((path): Mount => ({ path, kind: "read" })),
  ];
}

function etc(): readonly Mount[] {
  const names = readdirSync("/etc").filter((name) => settings.test(name) || readableFiles.has(name));
  return names.map((name) => {
    const path = `/etc/${name}`;
    return kindOf(path) === "link" ? { path, kind: "link", source: readlinkSync(path) } : { path, kind: "read" };
  });
}
