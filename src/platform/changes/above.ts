import { dirname } from "node:path";
import { isThere } from "../files/probe.ts";

export function repositoryAbove(place: string): string | null {
  for (let at = place; ; at = dirname(at)) {
    if (isThere(`${at}/.git`)) return at;
    if (at === dirname(at)) return null;
  }
}
