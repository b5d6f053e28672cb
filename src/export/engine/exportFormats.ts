import { CodedError } from '../../base/errors';
import { coco } from './coco';
import type { Exporter } from './exporter';
import { imagejRois } from './imagejRois';
import { labelPngs, labelTiffs } from './labelImages';
import { qupathGeojson } from './qupathGeojson';

/*
 * All export formats and their traits. The user's dialogs, the check of a program's arguments and
 * the export itself use them. To add a format, write an Exporter and add its two entries below. The
 * records are separate, so that bundles that use only the traits don't include the writers.
 */

/** The traits of a format. */
export interface ExportFormatTraits {
  /** Name of the file format or of its tool; not translated. */
  name: string;
  /** How a mask is written. */
  masksAs: 'run-lengths' | 'outlines' | 'rois' | 'labels';
  /** The content of a file. */
  filePer: 'export' | 'image';
  /** Bits per pixel of label images: 16, or 32 if 16 aren't enough. */
  labelBits?: '16' | '16-or-32';
  /** How overlaps are written: all objects keep their pixels, or the smallest object gets them. */
  overlap: 'kept' | 'smallest-on-top';
  /** Whether classes can be written to separate files (ExportRequest.perClass). */
  perClass: boolean;
  /** How an object's populations are written; absent if the format doesn't support them. */
  populations?: 'class' | 'list';
}

/** In the order in which they are offered. */
export const exportFormats = {
  coco: {
    name: 'COCO JSON',
    masksAs: 'run-lengths',
    filePer: 'export',
    overlap: 'kept',
    perClass: false,
    populations: 'list',
  },
  'labels-tiff': {
    name: 'TIFF',
    masksAs: 'labels',
    filePer: 'image',
    labelBits: '16-or-32',
    overlap: 'smallest-on-top',
    perClass: true,
  },
  'labels-png': {
    name: 'PNG',
    masksAs: 'labels',
    filePer: 'image',
    labelBits: '16',
    overlap: 'smallest-on-top',
    perClass: true,
  },
  geojson: {
    name: 'QuPath GeoJSON',
    masksAs: 'outlines',
    filePer: 'image',
    overlap: 'kept',
    perClass: false,
    populations: 'class',
  },
  'imagej-roi': {
    name: 'ImageJ RoiSet.zip',
    masksAs: 'rois',
    filePer: 'image',
    overlap: 'kept',
    perClass: false,
  },
} satisfies Readonly<Record<string, ExportFormatTraits>>;

export type ExportFormat = keyof typeof exportFormats;

/** The formats by name, in the order in which they are offered. */
export const exportFormatNames = Object.keys(exportFormats) as ExportFormat[];

const exporters: Readonly<Record<ExportFormat, Exporter>> = {
  coco,
  'labels-tiff': labelTiffs,
  'labels-png': labelPngs,
  geojson: qupathGeojson,
  'imagej-roi': imagejRois,
};

/** The writer of a format. Throws `bad-request` for an unknown name. */
export function exporterOf(format: string): Exporter {
  if (Object.hasOwn(exporters, format)) return exporters[format as ExportFormat];
  throw new CodedError('bad-request', `There is no export format "${format}"`, { subject: format });
}

/** Whether a format supports populations. */
export function canHavePopulations(format: string): boolean {
  const formats: Readonly<Record<string, ExportFormatTraits>> = exportFormats;
  return formats[format]?.populations !== undefined;
}
