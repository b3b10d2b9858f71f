/** Room → rooms it may import, as the rooms test enforces it. */
export type Imports = Readonly<Record<string, readonly string[]>>;

const [boxWidth, boxHeight, columnGap, rowGap, margin] = [118, 40, 22, 64, 24];

/** Rooms in layers, the lowest at the bottom; an arrow leads to what a room builds on directly. */
export function roomsSvg(mayImport: Imports, owns: (room: string) => string): string {
  const rooms = Object.keys(mayImport);
  const layers = [...Map.groupBy(rooms, (room) => layerOf(room, mayImport))].sort(([a], [b]) => b - a);
  const widest = Math.max(...layers.map(([, { length }]) => length));
  const [width, height] = [
    2 * margin + widest * (boxWidth + columnGap) - columnGap,
    2 * margin + layers.length * (boxHeight + rowGap) - rowGap,
  ];
  const places = new Map(
    layers.flatMap(([, row], at) =>
      row.map((room, column) => {
        const left = (width - row.length * (boxWidth + columnGap) + columnGap) / 2;
        return [room, { x: left + column * (boxWidth + columnGap), y: margin + at * (boxHeight + rowGap) }] as const;
      }),
    ),
  );
  const placeOf = (room: string): { readonly x: number; readonly y: number } => places.get(room) ?? { x: 0, y: 0 };
  const arrows = rooms.flatMap((room) =>
    directImports(room, mayImport).map((to) => {
      const [from, end] = [placeOf(room), placeOf(to)];
      const [x1, y1, x2] = [from.x + boxWidth / 2, from.y + boxHeight, end.x + boxWidth / 2];
      // Neighbours in one layer are joined side to side.
      if (from.y === end.y)
        return arrow(room, to, from.x, from.y + boxHeight / 2, end.x + boxWidth, end.y + boxHeight / 2);
      return arrow(room, to, x1, y1, x2, end.y);
    }),
  );
  const boxes = rooms.map((room) => {
    const { x, y } = placeOf(room);
    return (
      `<g><title>${escaped(owns(room))}</title><rect x="${x}" y="${y}" width="${boxWidth}" height="${boxHeight}" rx="6" ` +
      `fill="#eef3fb" stroke="#4a7fd6"/><text x="${x + boxWidth / 2}" y="${y + 25}" text-anchor="middle">${room}</text></g>`
    );
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="15">
<rect width="100%" height="100%" fill="#fff"/>
<defs><marker id="end" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto"><path d="M0 0L8 4L0 8z" fill="#777"/></marker></defs>
${arrows.join("\n")}
${boxes.join("\n")}
</svg>
`;
}

function arrow(from: string, to: string, x1: number, y1: number, x2: number, y2: number): string {
  return `<path d="M${x1} ${y1}L${x2} ${y2}" stroke="#999" fill="none" marker-end="url(#end)"><title>${from} → ${to}</title></path>`;
}

function reachOf(room: string, mayImport: Imports): readonly string[] {
  const named = mayImport[room] ?? [];
  if (named.includes("everything")) return Object.keys(mayImport).filter((other) => other !== room);
  return named.map((target) => target.split("/")[0] ?? target);
}

function layerOf(room: string, mayImport: Imports): number {
  return 1 + Math.max(-1, ...reachOf(room, mayImport).map((target) => layerOf(target, mayImport)));
}

/** Those that no other import of the room leads to as well. */
function directImports(room: string, mayImport: Imports): readonly string[] {
  const reach = reachOf(room, mayImport);
  const further = new Set(reach.flatMap((target) => [...allBelow(target, mayImport)]));
  return reach.filter((target) => !further.has(target));
}

function allBelow(room: string, mayImport: Imports): ReadonlySet<string> {
  const reach = reachOf(room, mayImport);
  return new Set([...reach, ...reach.flatMap((target) => [...allBelow(target, mayImport)])]);
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
