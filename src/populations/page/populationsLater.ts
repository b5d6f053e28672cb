import gatesCss from './gates.css';
import populationsCss from './populations.css';
import { namedPopulations } from './namedPopulations';
import { gatesInPlots } from './gatesInPlots';
import { PopulationsModel } from './populationsModel';
import { PopulationsPart } from './populationsPart';

/** What populations need once their part is open. */
export const populationsLater = {
  style: populationsCss + gatesCss,
  PopulationsModel,
  PopulationsPart,
  gatesInPlots,
  namedPopulations,
};
