import { openFormulaEditor } from './formulaEditor';
import formulasCss from './formulas.css';

/** What writing formulas needs once one is written. */
export const formulasLater = { style: formulasCss, openFormulaEditor };
