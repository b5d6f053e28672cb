import { isCoded } from '../base/errors';
import { reason } from '../base/reasons';
import { decodeBase64 } from './base64';
import { maskFromRuns, type ObjectMask } from './objectMask';
import { decodeCounts, maskPixels, readPlainRuns, type Runs } from './runLengthEncoding';
import { unreadableMask } from './unreadableMask';

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readNumbers(value: unknown, length: number): number[] | undefined {
  if (!Array.isArray(value) || value.length !== length) return undefined;
  const numbers = value.filter(item => typeof item === 'number' && Number.isSafeInteger(item));
  return numbers.length === length ? numbers : undefined;
}

function readCounts(counts: unknown, height: number, width: number): Runs {
  if (Array.isArray(counts)) return readPlainRuns(counts, height, width);
  if (typeof counts !== 'string') throw unreadableMask(reason('runs-missing'));
  const decoded = decodeBase64(counts);
  // Compressed runs can happen to be valid base64 too: then what they decode to isn't compressed runs.
  if (!decoded?.every(code => code >= 48 && code <= 111)) return decodeCounts(counts, height, width);
  try {
    return decodeCounts(decoded, height, width);
  } catch (error) {
    if (!isCoded(error)) throw error;
    try {
      return decodeCounts(counts, height, width);
    } catch (second) {
      // The documented form is base64: its reason is the useful one.
      throw isCoded(second) ? error : second;
    }
  }
}

/**
 * Reads the mask of an object record of a masks archive. `rle.size` is either the image's [height, width] or that of
 * `bbox`; counts are base64 of compressed runs, compressed runs, or plain runs.
 * Throws `damaged-archive`, with the reason, when the mask can't be read reliably.
 */
export function readObjectMask(record: unknown, imageWidth: number, imageHeight: number): ObjectMask {
  if (!isRecord(record)) throw unreadableMask(reason('not-an-object-record'));
  const rle = record['rle'];
  if (!isRecord(rle)) throw unreadableMask(reason('no-run-lengths'));
  const size = readNumbers(rle['size'], 2);
  if (!size) throw unreadableMask(reason('mask-size-not-numbers'));
  const [height = 0, width = 0] = size;
  maskPixels(height, width);
  if (height === imageHeight && width === imageWidth) {
    return maskFromRuns(readCounts(rle['counts'], height, width), height);
  }
  const box = readNumbers(record['bbox'], 4);
  if (!box) throw unreadableMask(reason('mask-size-without-box', height, width));
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = box;
  if (height !== y2 - y1 || width !== x2 - x1) {
    throw unreadableMask(reason('mask-size-mismatch', height, width));
  }
  if (x1 < 0 || y1 < 0 || x2 > imageWidth || y2 > imageHeight) {
    throw unreadableMask(reason('box-outside-image'));
  }
  return maskFromRuns(readCounts(rle['counts'], height, width), height, x1, y1);
}
