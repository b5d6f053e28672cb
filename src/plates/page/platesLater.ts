import { PlatePart } from './platePart';
import { PlateModel } from './plateModel';
import rangeClipCss from '../../pages/page/widgets/rangeClip.css';
import platesCss from './plates.css';

/** Plates, once they are opened. */
export const platesLater = { style: `${rangeClipCss}\n${platesCss}`, PlatePart, PlateModel };
