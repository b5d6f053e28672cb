import gatesCss from './gates.css';
import populationsCss from './populations.css';
import { namedPopulations } from './gateWords';
import { gatesInPlots } from './gatesInPlots';
import { PopulationsModel } from './populationsModel';
import { PopulationsPart } from './populationsPart';

/** The code of populations that loads after the page's first script. */
export const populationsLater = {
  style: populationsCss + gatesCss,
  PopulationsModel,
  PopulationsPart,
  gatesInPlots,
  namedPopulations,
};
