import type { Edge } from "./edges.ts";

const [boxWidth, boxHeight, gap, margin] = [210, 34, 46, 20];

/** States below one another; an arrow on the right leads down, one on the left up. */
export function machineSvg(states: readonly string[], edges: readonly Edge[]): string {
  const lane = 9;
  const side = 60 + lane * edges.length;
  const at = (state: string): number => margin + states.indexOf(state) * (boxHeight + gap);
  const boxes = states.map(
    (state) =>
      `<rect x="${side}" y="${at(state)}" width="${boxWidth}" height="${boxHeight}" rx="6" fill="#eef3fb" stroke="#4a7fd6"/>` +
      `<text x="${side + boxWidth / 2}" y="${at(state) + 22}" text-anchor="middle">${state}</text>`,
  );
  const arrows = edges.map(({ from, to, on }, index) => {
    const isDown = states.indexOf(to) > states.indexOf(from);
    const x = isDown ? side + boxWidth : side;
    const reach = (isDown ? 1 : -1) * (24 + lane * index);
    const shift = ((index % 5) - 2) * 5;
    const [y1, y2] = [at(from) + boxHeight / 2 + shift, at(to) + boxHeight / 2 - shift];
    return `<path d="M${x} ${y1} C${x + reach} ${y1} ${x + reach} ${y2} ${x} ${y2}" fill="none" stroke="${isDown ? "#3f9b5f" : "#c0504d"}" marker-end="url(#end)"><title>${from} → ${to}: ${on.join(", ")}</title></path>`;
  });
  const [width, height] = [2 * side + boxWidth, at(states.at(-1) ?? "") + boxHeight + margin];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="14">
<rect width="100%" height="100%" fill="#fff"/>
<defs><marker id="end" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>
${arrows.join("\n")}
${boxes.join("\n")}
</svg>
`;
}
