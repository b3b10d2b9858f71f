const parts = { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit" } as const;

/** What machines are set to that nobody has set; those whose zone is not known are the same case. */
const unset = /^(?:Etc\/)?(?:UTC|UCT|GMT(?:[+-]?0)?|Universal|Zulu|Greenwich|Unknown)$/i;

/** PS-3: where the person is, as far as the machine knows. */
export function machineZone(machine = Intl.DateTimeFormat().resolvedOptions().timeZone): string {
  return machine === undefined || machine === "" || unset.test(machine) ? "Asia/Shanghai" : machine;
}

/** `2026-11-18 14:03 GMT+8`: a time says where it is the time. `seconds`: to the second. `null`: in the machine's zone. */
export function zonedTime(zone: string | null, { seconds = false } = {}): Intl.DateTimeFormat {
  const second = seconds ? ({ second: "2-digit" } as const) : {};
  return new Intl.DateTimeFormat("sv-SE", {
    timeZone: zone ?? machineZone(),
    ...parts,
    ...second,
    timeZoneName: "shortOffset",
  });
}
