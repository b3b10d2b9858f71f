import { expect, test } from "bun:test";
import { Calibration } from "../../../src/engine/model/calibration.ts";

test("[CX-5] reported usage corrects the estimate, within bounds", () => {
  const calibration = new Calibration();
  calibration.sent(0)(150);
  expect(calibration.ratio).toBe(1);
  const counted = calibration.sent(100);
  counted(0);
  expect(calibration.ratio).toBe(1);
  counted(150);
  expect(calibration.ratio).toBe(1.5);
  counted(100_000);
  expect(calibration.ratio).toBe(3);
  counted(1);
  expect(calibration.ratio).toBe(0.5);
});

test("[CX-5] a count belongs to its own request, also when others were sent meanwhile", () => {
  const calibration = new Calibration();
  const first = calibration.sent(100);
  calibration.sent(1_000);
  first(150);
  expect(calibration.ratio).toBe(1.5);
});
