const parts = { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit" } as const;

/** `2026-11-18 14:03 GMT+8`: a time says where it is the time. `seconds`: to the second. */
export function zonedTime(timeZone: string, { seconds = false } = {}): Intl.DateTimeFormat {
  const second = seconds ? ({ second: "2-digit" } as const) : {};
  return new Intl.DateTimeFormat("sv-SE", { timeZone, ...parts, ...second, timeZoneName: "shortOffset" });
}
