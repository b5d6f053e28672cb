import { CodedError } from '../../base/errors';
import { coco } from './coco';
import type { Exporter } from './exporter';
import { imagejRois } from './imagejRois';
import { labelPngs, labelTiffs } from './labelImages';
import { qupathGeojson } from './qupathGeojson';

/*
 * All export formats and their traits. The user's steps, the check of a program's arguments and the
 * export itself read them here: a new format is a writer (Exporter) and its two entries below.
 * There are two records, so that bundles that only use the traits leave the writers out.
 */

/** The traits of a format. */
export interface ExportFormatTraits {
  /** Name of the file format or of its tool: the same in every language. */
  name: string;
  /** How a mask is written. */
  masksAs: 'run-lengths' | 'outlines' | 'rois' | 'labels';
  /** The content of a file. */
  filePer: 'export' | 'image';
  /** Of label images, the bits of a pixel: 16, or 32 where 16 don't suffice. */
  labelBits?: '16' | '16-or-32';
  /** How overlaps are written: objects keep all pixels, or the smallest object gets them. */
  overlap: 'kept' | 'smallest-on-top';
  /** Whether classes can be written to files of their own (ExportRequest.perClass). */
  perClass: boolean;
  /** How the populations of an object are written, if they can be. */
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

/** Whether a format can say which populations objects are in. */
export function canHavePopulations(format: string): boolean {
  const all: Readonly<Record<string, ExportFormatTraits>> = exportFormats;
  return all[format]?.populations !== undefined;
}
