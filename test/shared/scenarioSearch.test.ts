import { describe, expect, it } from 'vitest';
import { createScenarioSearch, markWords, type ListedScenario } from '../../src/shared/scenarioSearch.ts';
import { generatedScenarios } from '../support/scenarioList.ts';

const LIST = generatedScenarios(200, 10);
const QUERIES = [
  '',
  '  ',
  'etsy',
  'ETSY 16',
  'rename invoice',
  'invoice rename priya',
  'ärztetermin',
  'teams workflow',
  'no. 31',
  'nothing like it',
  'o’hara survey_',
  's',
];

/** Word by word, text by text, without an index. */
function naiveSearch(list: readonly ListedScenario[], query: string) {
  const words = query.toLowerCase().trim().split(/\s+/);
  const has = (text: string, word: string): boolean => text.toLowerCase().includes(word);
  const isNamed = ({ name }: ListedScenario): boolean => words.every((word) => has(name, word));
  const found = list.filter(({ name, description, tasks }) =>
    words.every((word) => [name, description, ...tasks].some((text) => has(text, word))),
  );
  return [...found.filter(isNamed), ...found.filter((one) => !isNamed(one))].map((scenario) => {
    const hits = scenario.tasks.map((task) => words.filter((word) => has(task, word)).length);
    const most = Math.max(0, ...hits);
    return { scenario, task: isNamed(scenario) || most === 0 ? null : hits.indexOf(most) };
  });
}

describe('looking for a scenario', () => {
  it.each(QUERIES)('finds for “%s” what a plain look through every text finds', (query) => {
    expect(createScenarioSearch(LIST)(query)).toEqual(naiveSearch(LIST, query));
  });

  it('finds the same of every beginning of what is typed', () => {
    const search = createScenarioSearch(LIST);
    const typed = 'close shipment for Tomás';
    for (let end = 0; end <= typed.length; end += 1) {
      const query = typed.slice(0, end);
      expect(search(query)).toEqual(naiveSearch(LIST, query));
    }
  });

  it('marks every place of every word, and gives the text back whole', () => {
    const stretches = markWords('Rename the renamed Invoice', ['name', 'amed', 'invoice']);
    expect(stretches.filter(({ isMarked }) => isMarked).map(({ text }) => text)).toEqual([
      'name',
      'named',
      'Invoice',
    ]);
    expect(stretches.map(({ text }) => text).join('')).toBe('Rename the renamed Invoice');
    expect(markWords('İpek', ['p'])).toEqual([{ start: 0, text: 'İpek', isMarked: false }]);
  });
});
