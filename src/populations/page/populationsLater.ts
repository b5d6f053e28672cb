import populationsCss from './populations.css';
import { PopulationsPart } from './populationsPart';

/** What populations need once their part is open. */
export const populationsLater = { style: populationsCss, PopulationsPart };
