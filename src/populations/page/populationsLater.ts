import populationsCss from './populations.css';
import { PopulationsModel } from './populationsModel';
import { PopulationsPart } from './populationsPart';

/** What populations need once their part is open. */
export const populationsLater = { style: populationsCss, PopulationsModel, PopulationsPart };
