import { expect, test } from "bun:test";
import { Calibration } from "../../../src/engine/model/calibration.ts";

test("[CX-5] reported usage corrects the estimate, within bounds", () => {
  const calibration = new Calibration();
  calibration.counted(150);
  expect(calibration.ratio).toBe(1);
  calibration.sent(100);
  calibration.counted(0);
  expect(calibration.ratio).toBe(1);
  calibration.counted(150);
  expect(calibration.ratio).toBe(1.5);
  calibration.counted(100_000);
  expect(calibration.ratio).toBe(3);
  calibration.counted(1);
  expect(calibration.ratio).toBe(0.5);
});
