import gatesCss from './gates.css';
import populationsCss from './populations.css';
import { namedPopulations } from './namedPopulations';
import { gatesInPlots } from './gatesInPlots';
import { PopulationsModel } from './populationsModel';
import { PopulationsPart } from './populationsPart';

/** The population code that loads once the part is open. */
export const populationsLater = {
  style: populationsCss + gatesCss,
  PopulationsModel,
  PopulationsPart,
  gatesInPlots,
  namedPopulations,
};
