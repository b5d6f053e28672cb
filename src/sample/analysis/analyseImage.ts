import { throwIfCancelled } from '../../base/errors';
import { decodeRaster } from '../../formats/decodeRaster';
import { measureShape } from '../../formats/measurements';
import { fullFrameRuns, maskFromRuns, type ObjectMask } from '../../formats/objectMask';
import { encodeCounts, runsFromMask } from '../../formats/runLengthEncoding';
import type { Raster } from '../../formats/raster';
import { classesBySize } from './classesBySize';
import { greyPicture, pictureChannels } from './greyPicture';
import { cropOf, labelledPixels } from './labelledPixels';
import type { SamplePipeline } from './pipelines';
import { segment } from './segment';

/** A run-length encoding as the masks archive holds it, its counts as COCO's text before base64. */
export interface EncodedMask {
  size: [height: number, width: number];
  counts: string;
}

export interface ObjectResult {
  /** From 1, in the order of the objects' first pixels. */
  id: number;
  className: string;
  classIndex: number;
  /** x2 and y2 are exclusive. */
  bbox: [x1: number, y1: number, x2: number, y2: number];
  /** Cut to the bounding box. */
  rle: EncodedMask;
  /** The same in the frame of the picture, for pipelines that say so. */
  rleFullFrame?: EncodedMask;
  /** By column name of the objects table; lengths in pixels, positions in the frame whose pixel (0, 0) spans 0 to 1. */
  measurements: Record<string, number>;
}

export interface ImageResult {
  width: number;
  height: number;
  objects: ObjectResult[];
}

/** Samples a picture to be analysed may have: some ten bytes are needed for each. */
const MAX_SAMPLES = 150e6;

/**
 * Finds, classifies and measures the objects of a PNG, JPEG or TIFF file. A picture without objects is no error.
 * Throws `bad-request` for a file that cannot be read. Other work gets its turn between the stages, but each of them
 * keeps the thread for as long as the picture is large.
 */
export async function analyseImage(
  bytes: Uint8Array,
  fileName: string,
  pipeline: SamplePipeline,
  signal: AbortSignal,
): Promise<ImageResult> {
  throwIfCancelled(signal);
  const raster = await decodeRaster(bytes, fileName, MAX_SAMPLES);
  throwIfCancelled(signal);
  const labels = await segment(greyPicture(raster, pipeline.objects === 'dark'), signal);
  const { pixels, starts, count } = labelledPixels(labels);
  const found = Array.from({ length: count }, (_, i) =>
    pixels.subarray(starts[i + 1] ?? 0, starts[i + 2] ?? 0),
  );
  const classes = classesBySize(
    found.map(own => own.length),
    pipeline.classes.length,
  );
  const objects = found.map((own, i): ObjectResult => {
    const mask = maskOf(own, raster.width);
    const classIndex = classes[i] ?? 0;
    return {
      id: i + 1,
      className: pipeline.classes[classIndex] ?? pipeline.classes[0],
      classIndex,
      bbox: [mask.x, mask.y, mask.x + mask.width, mask.y + mask.height],
      rle: { size: [mask.height, mask.width], counts: encodeCounts(mask.runs) },
      ...(pipeline.maskShape === 'full-frame' ? { rleFullFrame: inFullFrame(mask, raster) } : {}),
      measurements: measure(mask, own, raster),
    };
  });
  throwIfCancelled(signal);
  return { width: raster.width, height: raster.height, objects };
}

function maskOf(positions: Int32Array, pictureWidth: number): ObjectMask {
  const crop = cropOf(positions, pictureWidth);
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

/** Mean of the raw samples inside the mask, per channel; transparency is none. */
function meanIntensities(positions: Int32Array, raster: Raster): number[] {
  return pictureChannels(raster).map(channel => {
    let sum = 0;
    for (const position of positions) sum += raster.samples[position * raster.channels + channel] ?? 0;
    return sum / positions.length;
  });
}
