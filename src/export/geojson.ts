import type { Rgb } from '../base/rgb';
import { traceContours, type Ring } from '../masks/contours';
import { measureShape } from '../masks/measurements';
import type { ObjectMask } from '../masks/objectMask';

type Position = [x: number, y: number];

/** Geometry of GeoJSON (RFC 7946) in image pixels, y down. */
export type PixelGeometry =
  | { type: 'Polygon'; coordinates: Position[][] }
  | { type: 'MultiPolygon'; coordinates: Position[][][] };

/** A detection as QuPath reads it. */
export interface DetectionFeature {
  type: 'Feature';
  id: string;
  geometry: PixelGeometry;
  properties: {
    objectType: 'detection';
    name: string;
    /** Missing for an object without a class. */
    classification?: { name: string; color: Rgb };
    measurements: Record<string, number>;
    /** Texts that QuPath keeps with the object. */
    metadata: Record<string, string>;
  };
}

/** Polygons with holes along pixel edges; several parts make a MultiPolygon. */
export function pixelGeometry(mask: ObjectMask): PixelGeometry {
  const polygons = traceContours(mask).map(({ outer, holes }) => [outer, ...holes].map(positions));
  const [first = []] = polygons;
  return polygons.length === 1
    ? { type: 'Polygon', coordinates: first }
    : { type: 'MultiPolygon', coordinates: polygons };
}

function positions(ring: Ring): Position[] {
  const closed: Position[] = [];
  for (let at = 0; at <= ring.length; at += 2)
    closed.push([ring[at % ring.length] ?? 0, ring[(at + 1) % ring.length] ?? 0]);
  return closed;
}

/** The object as a QuPath detection; `id` is a UUID. Measurements are in pixels, their names say how they are defined. */
export function detectionFeature(
  mask: ObjectMask,
  given: { id: string; name: string; className: string; color: Rgb; imagePath: string; score?: number },
): DetectionFeature {
  const { area, centroid, perimeter, majorAxis, minorAxis, feretMaximum } = measureShape(mask);
  return {
    type: 'Feature',
    id: given.id,
    geometry: pixelGeometry(mask),
    properties: {
      objectType: 'detection',
      name: given.name,
      ...(given.className !== '' && { classification: { name: given.className, color: given.color } }),
      measurements: {
        'Area (mask pixels)': area,
        'Perimeter (px, scikit-image, 4-neighbourhood)': perimeter,
        'Centroid X (px)': centroid[0],
        'Centroid Y (px)': centroid[1],
        'Major axis (px, 4 sqrt of moment eigenvalue)': majorAxis,
        'Minor axis (px, 4 sqrt of moment eigenvalue)': minorAxis,
        'Feret maximum (px, half-pixel contour)': feretMaximum,
        ...(given.score !== undefined && { Score: given.score }),
      },
      metadata: { 'Image path': given.imagePath },
    },
  };
}
