const parts = { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit" } as const;

/** Time zones that nobody configured, or unknown ones. */
const unset = /^(?:Etc\/)?(?:UTC|UCT|GMT(?:[+-]?0)?|Universal|Zulu|Greenwich|Unknown)$/i;

/** PS-3: the user's time zone according to the machine. */
export function machineZone(machine = Intl.DateTimeFormat().resolvedOptions().timeZone): string {
  return machine === undefined || machine === "" || unset.test(machine) ? "Asia/Shanghai" : machine;
}

/** `2026-11-18 14:03 GMT+8`, always with the zone. `null` = the machine's zone. */
export function zonedTime(zone: string | null, { seconds = false } = {}): Intl.DateTimeFormat {
  const second = seconds ? ({ second: "2-digit" } as const) : {};
  return new Intl.DateTimeFormat("sv-SE", {
    timeZone: zone ?? machineZone(),
    ...parts,
    ...second,
    timeZoneName: "shortOffset",
  });
}
