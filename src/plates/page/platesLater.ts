import { PlatePart } from './platePart';
import platesCss from './plates.css';

/** Plates, once they are opened. */
export const platesLater = { style: platesCss, PlatePart };
