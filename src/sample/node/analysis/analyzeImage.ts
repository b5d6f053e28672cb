import { throwIfCanceled } from '../../../base/errors';
import { decodeRaster } from '../../../images/decodeRaster';
import type { Raster } from '../../../images/raster';
import { measureShape } from '../../../archives/measurements';
import { fullFrameRuns, maskFromRuns, type ObjectMask } from '../../../archives/objectMask';
import { encodeCounts, runsFromMask } from '../../../archives/runLengthEncoding';
import { cropOf, labeledPixels } from './components';
import { grayImage, imageChannels } from './grayImage';
import type { SamplePipeline } from './pipelines';
import { segment } from './segment';
import { otsu } from './statistics';

/** A run-length encoding as in the masks archive, but with COCO's counts not yet in base64. */
interface EncodedMask {
  size: [height: number, width: number];
  counts: string;
}

export interface ObjectResult {
  /** Counts from 1, in the order of the objects' first pixels. */
  id: number;
  className: string;
  classIndex: number;
  /** x2 and y2 are exclusive. */
  bbox: [x1: number, y1: number, x2: number, y2: number];
  /** The mask within the bounding box. */
  rle: EncodedMask;
  /** The mask in the full frame of the image, for pipelines with the mask shape `full-frame`. */
  rleFullFrame?: EncodedMask;
  /** Values by column name of the objects table, in pixels. Pixel (0, 0) spans positions 0 to 1. */
  measurements: Record<string, number>;
}

export interface ImageResult {
  width: number;
  height: number;
  objects: ObjectResult[];
}

/** Maximum number of samples of an image. The analysis needs some ten bytes for each sample. */
const MAX_SAMPLES = 150e6;

/**
 * Finds, classifies and measures the objects of a PNG, JPEG or TIFF file. An image without objects
 * is not an error. Throws `bad-request` for an unreadable file. A stage blocks the thread for a
 * time proportional to the image; other work runs between the stages.
 */
export async function analyzeImage(
  bytes: Uint8Array,
  fileName: string,
  pipeline: SamplePipeline,
  signal: AbortSignal,
): Promise<ImageResult> {
  throwIfCanceled(signal);
  const raster = await decodeRaster(bytes, fileName, MAX_SAMPLES);
  throwIfCanceled(signal);
  const labels = await segment(grayImage(raster, pipeline.objects), pipeline.neckDepth, signal);
  const { pixels, starts, count } = labeledPixels(labels);
  const objectPixels = Array.from({ length: count }, (_, i) =>
    pixels.subarray(starts[i + 1] ?? 0, starts[i + 2] ?? 0),
  );
  const classes = classesBySize(
    objectPixels.map(pixelsOfObject => pixelsOfObject.length),
    pipeline.classes.length,
  );
  const objects = objectPixels.map((pixelsOfObject, i): ObjectResult => {
    const mask = maskOf(pixelsOfObject, raster.width);
    const classIndex = classes[i] ?? 0;
    return {
      id: i + 1,
      className: pipeline.classes[classIndex] ?? pipeline.classes[0],
      classIndex,
      bbox: [mask.x, mask.y, mask.x + mask.width, mask.y + mask.height],
      rle: { size: [mask.height, mask.width], counts: encodeCounts(mask.runs) },
      ...(pipeline.maskShape === 'full-frame' ? { rleFullFrame: inFullFrame(mask, raster) } : {}),
      measurements: measure(mask, pixelsOfObject, raster),
    };
  });
  throwIfCanceled(signal);
  return { width: raster.width, height: raster.height, objects };
}

function maskOf(positions: Int32Array, imageWidth: number): ObjectMask {
  const crop = cropOf(positions, imageWidth);
  return maskFromRuns(runsFromMask(crop.mask, crop.width, crop.height), crop.height, crop.x, crop.y);
}

function inFullFrame(mask: ObjectMask, { width, height }: Raster): EncodedMask {
  return { size: [height, width], counts: encodeCounts(fullFrameRuns(mask, width, height)) };
}

function measure(mask: ObjectMask, positions: Int32Array, raster: Raster): Record<string, number> {
  const shape = measureShape(mask);
  const means = meanIntensities(positions, raster);
  const measurements: Record<string, number> = {
    Area: shape.area,
    Perimeter: shape.perimeter,
    'Length of Major Axis': shape.majorAxis,
    'Length of Minor Axis': shape.minorAxis,
    'Feret Diameter Maximum': shape.feretMaximum,
    'X Position': shape.centroid[0],
    'Y Position': shape.centroid[1],
    'Mean Intensity': means.reduce((sum, mean) => sum + mean, 0) / means.length,
  };
  if (means.length > 1) means.forEach((mean, i) => (measurements[`Mean Intensity Channel ${i + 1}`] = mean));
  return measurements;
}

/** Mean of the raw samples inside the mask for every channel except alpha. NaN doesn't count. */
function meanIntensities(positions: Int32Array, raster: Raster): number[] {
  return imageChannels(raster).map(channel => {
    let sum = 0;
    let count = 0;
    for (const position of positions) {
      const value = raster.samples[position * raster.channels + channel] ?? NaN;
      if (Number.isNaN(value)) continue;
      sum += value;
      count++;
    }
    return sum / count;
  });
}

/** Below this ratio of the mean areas of large and small objects, all count as one size. */
const MIN_RATIO = 1.5;

/**
 * Class index of each object by its area. With one class, every index is 0. With two classes, small
 * objects get 0 and large ones 1, split where the areas separate best. Objects of one size all get
 * 1.
 */
function classesBySize(areas: readonly number[], classes: number): number[] {
  if (classes < 2) return areas.map(() => 0);
  const split = otsu(areas);
  if (!split || split.highMean < MIN_RATIO * split.lowMean) return areas.map(() => 1);
  return areas.map(area => (area > split.threshold ? 1 : 0));
}
