import { createHash } from 'node:crypto';
import { classColor, fromHex, type Rgb } from '../../base/colors';
import type { ObjectPopulation } from '../../linking/objectPopulations';
import { type Ring, traceContours } from '../../archives/contours';
import { pathOfImage } from '../../archives/masksSummary';
import { measureShape } from '../../archives/measurements';
import type { ObjectMask } from '../../archives/objectMask';
import type { ExportRequest } from '../exportRequest';
import { classColors, type Exporter } from './exporter';
import { populationsOfImage } from './exportedPopulations';

/**
 * Writes GeoJSON for QuPath: a FeatureCollection of detections per image. An object gets the same
 * UUID in every export.
 */
export const qupathGeojson: Exporter = {
  fileNames: (_request, { images }) => images.map(({ stem }) => `${stem}.geojson`),

  async write({ request, summary, selection, writeOfImage, signal, progress }) {
    const colorOf = classColors(summary.classes, request.colors);
    for (const [position, { image, stem }] of selection.images.entries()) {
      const populations = populationsOfImage(image.index, request.populations);
      await writeOfImage(image, `${stem}.geojson`, async file => {
        await file.appendText('{"type":"FeatureCollection","features":[');
        let count = 0;
        for await (const { index, id, className, score, mask } of selection.objects(image.index, signal)) {
          const feature = detectionFeature(mask, {
            id: nameUuid(summary.resultId ?? '', image.id, index),
            name: String(id),
            imagePath: pathOfImage(image),
            metadata: metadataOf(image.index, request.imageColumns),
            classification: populations
              ? classOfPopulation(populations.deciding(index))
              : className !== '' && { name: className, color: colorOf(className) },
            ...(populations && { serviceClass: className }),
            ...(score !== undefined && { score }),
          });
          await file.appendText(`${count === 0 ? '\n' : ',\n'}${JSON.stringify(feature)}`);
          count++;
          progress(position, index / image.objectCount);
        }
        await file.appendText(']}\n');
        return count;
      });
      progress(position, 1);
    }
  },
};

/** Metadata of an image by column name, without empty values. */
function metadataOf(image: number, columns: ExportRequest['imageColumns'] = []): [string, string][] {
  return columns.flatMap(({ name, values }): [string, string][] => {
    const value = values[image] ?? '';
    return value === '' ? [] : [[name, value]];
  });
}

type Position = [x: number, y: number];

/** Geometry of GeoJSON (RFC 7946) in image pixels, y down. */
type PixelGeometry =
  | { type: 'Polygon'; coordinates: Position[][] }
  | { type: 'MultiPolygon'; coordinates: Position[][][] };

/** A class in QuPath's format. The name of a derived class begins with its parents' names. */
interface QuPathClass {
  name: string;
  color: Rgb;
}

/** QuPath's derived class of a nested population: "Cells: Ki67+". */
function classOfPopulation(population: ObjectPopulation | undefined): QuPathClass | false {
  if (!population) return false;
  // Colons separate the names of a derived class, so names must not contain them.
  const name = population.path.map(part => part.replaceAll(':', '-')).join(': ');
  return { name, color: fromHex(population.color) ?? classColor(0) };
}

/** A detection in QuPath's format. */
interface DetectionFeature {
  type: 'Feature';
  id: string;
  geometry: PixelGeometry;
  properties: {
    objectType: 'detection';
    name: string;
    /** Missing for an object without a class. */
    classification?: QuPathClass;
    measurements: Record<string, number>;
    /** Texts that QuPath stores with the object. */
    metadata: Record<string, string>;
  };
}

/** The outline of a mask along pixel edges, with holes; several parts become a MultiPolygon. */
function pixelGeometry(mask: ObjectMask): PixelGeometry {
  const polygons = traceContours(mask).map(({ outer, holes }) => [outer, ...holes].map(positions));
  const [first = []] = polygons;
  return polygons.length === 1
    ? { type: 'Polygon', coordinates: first }
    : { type: 'MultiPolygon', coordinates: polygons };
}

function positions(ring: Ring): Position[] {
  const closed: Position[] = [];
  for (let i = 0; i <= ring.length; i += 2)
    closed.push([ring[i % ring.length] ?? 0, ring[(i + 1) % ring.length] ?? 0]);
  return closed;
}

/** A QuPath detection of an object. The names of measurements say how they are defined. */
function detectionFeature(
  mask: ObjectMask,
  object: {
    /** A UUID. */
    id: string;
    name: string;
    /** False for an object without a class. */
    classification: QuPathClass | false;
    /** The class of the analysis, if `classification` is a population. */
    serviceClass?: string;
    imagePath: string;
    metadata: readonly [name: string, value: string][];
    score?: number;
  },
): DetectionFeature {
  const { area, centroid, perimeter, majorAxis, minorAxis, feretMaximum } = measureShape(mask);
  return {
    type: 'Feature',
    id: object.id,
    geometry: pixelGeometry(mask),
    properties: {
      objectType: 'detection',
      name: object.name,
      ...(object.classification && { classification: object.classification }),
      measurements: {
        'Area (mask pixels)': area,
        'Perimeter (px, scikit-image, 4-neighbourhood)': perimeter,
        'Centroid X (px)': centroid[0],
        'Centroid Y (px)': centroid[1],
        'Major axis (px, 4 sqrt of moment eigenvalue)': majorAxis,
        'Minor axis (px, 4 sqrt of moment eigenvalue)': minorAxis,
        'Feret maximum (px, half-pixel contour)': feretMaximum,
        ...(object.score !== undefined && { Score: object.score }),
      },
      // These entries override columns of the same names.
      metadata: {
        ...Object.fromEntries(object.metadata),
        ...(object.serviceClass !== undefined &&
          object.serviceClass !== '' && { Class: object.serviceClass }),
        'Image path': object.imagePath,
      },
    },
  };
}

/** Namespace of the UUIDs below: a random UUID. */
const NAMESPACE = Buffer.from('6f2b2f0c9a5d4d6e8a3f0b6f6f3d5c21', 'hex');

/** The UUID of a name (RFC 9562, version 5). Equal names get equal UUIDs. */
function nameUuid(...name: (string | number)[]): string {
  const hash = createHash('sha1').update(NAMESPACE).update(JSON.stringify(name)).digest();
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const hex = hash.toString('hex', 0, 16);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
