import { PlatePart } from './platePart';
import { plateActions, plateModel } from './platesOfTable';
import platesCss from './plates.css';

/** Plates, once they are opened. */
export const platesLater = { style: platesCss, PlatePart, plateActions, plateModel };
