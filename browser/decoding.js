/*
 * From scores to labels, as in lisa_allennlp/decoding. Scores of a row are a slice of a Float32Array.
 */

const FORBIDDEN = -1e30;
const FLOOR = 80;

export function argmax(values) {
  let best = 0;
  for (let i = 1; i < values.length; i++) if (values[i] > values[best]) best = i;
  return best;
}

/** The rows of an ONNX tensor along its last axis. */
export function rowsOf({ data, dims }) {
  const size = dims.at(-1);
  return Array.from({ length: data.length / size }, (_, i) => data.subarray(i * size, (i + 1) * size));
}

/** The index of each token's tag, and its probability of being a predicate. */
export function decodeTags(rows, model) {
  return rows.map((row) => {
    const highest = row[argmax(row)];
    const tags = new Float64Array(model.pos.length);
    let [sum, predicate] = [0, 0];
    row.forEach((score, joint) => {
      const weight = Math.exp(score - highest);
      sum += weight;
      tags[model.pos_of_joint[joint]] += weight;
      if (model.is_predicate[joint]) predicate += weight;
    });
    return { tag: argmax(tags), probability: predicate / sum };
  });
}

/** The heads, 0-based, of the best tree with one root, which is its own head (Chu-Liu/Edmonds). */
export function decodeHeads(rows) {
  const heads = rows.map(argmax);
  const roots = heads.filter((head, token) => head === token);
  if (roots.length === 1 && !findCycle(heads)) return heads;
  // Node 0 stands above the roots.
  const arcs = [[], ...rows].map(() => new Array(rows.length + 1).fill(-Infinity));
  rows.forEach((row, token) => {
    row.forEach((score, head) => { arcs[token + 1][head === token ? 0 : head + 1] = score; });
  });
  let tree = bestTree(arcs);
  if (tree.filter((head, node) => node > 0 && head === 0).length > 1) {
    // Each root is made to cost more than trees can differ, so that there is one.
    const [highest, lowest] = rows.reduce(
      ([most, least], row) => [Math.max(most, ...row), Math.min(least, ...row)], [0, 0]);
    for (const row of arcs) row[0] -= rows.length * (highest - lowest) + 1;
    tree = bestTree(arcs);
  }
  return tree.slice(1).map((head, token) => (head === 0 ? token : head - 1));
}

/** The heads over which every node is reached from node 0, with the highest sum of scores. */
function bestTree(arcs) {
  const heads = arcs.map((row, node) => (node === 0 ? 0 : argmax(row)));
  const cycle = findCycle(heads);
  if (!cycle) return heads;
  // The cycle becomes the last node of a smaller graph.
  const others = heads.map((_, node) => node).filter((node) => !cycle.includes(node));
  const enter = others.map((other) => cycle.map((node) => arcs[node][other] - arcs[node][heads[node]]));
  const leave = others.map((other) => cycle.map((node) => arcs[other][node]));
  const smaller = others.map((node, i) => [...others.map((other) => arcs[node][other]), Math.max(...leave[i])]);
  smaller.push([...enter.map((scores) => Math.max(...scores)), -Infinity]);
  const contracted = bestTree(smaller);
  const entering = contracted.pop();
  contracted.forEach((head, i) => {
    heads[others[i]] = head < others.length ? others[head] : cycle[argmax(leave[i])];
  });
  heads[cycle[argmax(enter[entering])]] = others[entering];
  return heads;
}

/** The nodes of the first cycle, or null. A root, which is its own head, is none. */
export function findCycle(heads) {
  const seenFrom = new Array(heads.length).fill(-1);
  for (let start = 0; start < heads.length; start++) {
    let node = start;
    while (seenFrom[node] < 0) {
      seenFrom[node] = start;
      node = heads[node];
    }
    if (heads[node] !== node && seenFrom[node] === start) {
      const nodes = [node];
      while (heads[nodes.at(-1)] !== node) nodes.push(heads[nodes.at(-1)]);
      return nodes;
    }
  }
  return null;
}

/** The index of each arc's label. The root, and only the root, has the root label. */
export function decodeHeadTags(rows, heads, root) {
  return rows.map((row, token) => {
    if (root === null) return argmax(row);
    if (heads[token] === token) return root;
    return argmax(row.map((score, label) => (label === root ? -Infinity : score)));
  });
}

const CORE = /^(?:ARG|A)[0-5A]$/;

/** Decodes the roles of frames with the model's linear chain. */
export class RoleDecoder {
  constructor({
    roles, chain, role_temperature: temperature, well_formed_frames: wellFormed,
    min_probability: minProbability, min_core_probability: minCoreProbability,
  }) {
    Object.assign(this, { roles, chain, temperature, minProbability, minCoreProbability, wellFormed });
    this.transitions = chain.transitions.map((row) => Float64Array.from(row));
    const highest = Math.max(...this.transitions.map((row) => Math.max(...row)));
    this.moves = this.transitions.map((row) => row.map((move) => Math.exp((move - highest) / temperature)));
  }

  /** The names of the labels of a frame's tokens, without improbable arguments. */
  decode(rows, predicate) {
    const verb = this.roles.indexOf("B-V");
    const scores = verb < 0 ? rows : rows.map((row, token) =>
      row.map((score, label) => ((label === verb) === (token === predicate) ? score : FORBIDDEN)));
    const best = this.viterbi(scores);
    const labels = this.wellFormed ? this.wellFormedLabels(scores, best) : best;
    const names = labels.map((label) => this.roles[label]);
    if (!this.minProbability && !this.minCoreProbability) return names;
    const spans = spansOf(names);
    const isOut = this.spanProbabilities(scores, labels, spans).map((found, i) =>
      found < (CORE.test(spans[i][0].replace(/^[CR]-/, "")) ? this.minCoreProbability : this.minProbability));
    return withoutArguments(names, spans, isOut);
  }

  /** As `WellFormedFrames` in Python: other labels for a frame that PropBank does not have. */
  wellFormedLabels(scores, labels) {
    const exclusions = this.exclusions(labels);
    if (exclusions.length === 0) return labels;
    const alternatives = exclusions.map(([label, isOut]) => {
      const changed = scores.map((row, token) => (isOut(token) ? row.with(label, FORBIDDEN) : row));
      const found = this.viterbi(changed);
      return { changed, found, score: this.pathScore(changed, found) };
    });
    const { changed, found } = alternatives[argmax(alternatives.map(({ score }) => score))];
    return this.wellFormedLabels(changed, found);
  }

  /** The ways to mend the first fault: a label, and whether it may not be at a token. */
  exclusions(labels) {
    const startsOf = (label) => labels.flatMap((found, token) => (found === label ? [token] : []));
    const begins = this.roles.flatMap((role, label) => (role.startsWith("B-") ? [[role.slice(2), label]] : []));
    for (const [role, label] of begins) {
      const starts = startsOf(label);
      if (CORE.test(role) && starts.length > 1) return starts.map((start) => [label, (token) => token !== start]);
    }
    for (const [role, label] of begins.filter(([name]) => /^[CR]-/.test(name))) {
      const base = this.roles.indexOf(`B-${role.slice(2)}`);
      if (labels.includes(label) && !labels.includes(base)) return [[label, () => true]];
    }
    const names = labels.map((label) => this.roles[label]);
    const adjoining = names.findIndex((name, token) => token > 0 && name === `B-C-${names[token - 1].slice(2)}`);
    return adjoining < 0 ? [] : [[labels[adjoining], (token) => token === adjoining]];
  }

  pathScore(scores, labels) {
    const { start, end } = this.chain;
    const moves = labels.slice(1).map((label, before) => this.transitions[labels[before]][label]);
    return [start[labels[0]], ...labels.map((label, token) => scores[token][label]), ...moves, end[labels.at(-1)]]
      .reduce((sum, score) => sum + score);
  }

  viterbi(scores) {
    const { start, end } = this.chain;
    let prefix = Float64Array.from(start, (score, label) => score + scores[0][label]);
    const before = scores.slice(1).map((row) => {
      const best = new Int32Array(row.length);
      const longer = new Float64Array(row.length).fill(-Infinity);
      for (let from = 0; from < row.length; from++) {
        const moves = this.transitions[from];
        for (let to = 0; to < row.length; to++) {
          const score = prefix[from] + moves[to];
          if (score > longer[to]) {
            longer[to] = score;
            best[to] = from;
          }
        }
      }
      prefix = longer.map((score, label) => score + row[label]);
      return best;
    });
    const labels = [argmax(prefix.map((score, label) => score + end[label]))];
    for (const best of before.reverse()) labels.unshift(best[labels[0]]);
    return labels;
  }

  /** Marginal probabilities of spans, by the forward-backward algorithm. */
  spanProbabilities(scores, labels, spans) {
    const { moves, roles, chain, temperature } = this;
    const [size, last] = [roles.length, scores.length - 1];
    const weights = scores.map((row, token) => {
      const sums = Float64Array.from(row, (score, label) =>
        score + (token === 0 ? chain.start[label] : 0) + (token === last ? chain.end[label] : 0));
      const most = Math.max(...sums);
      return sums.map((sum) => Math.exp(Math.max((sum - most) / temperature, -FLOOR)));
    });
    const scales = [];
    const alphas = [];
    for (const [token, row] of weights.entries()) {
      let alpha = row;
      if (token > 0) {
        alpha = new Float64Array(size);
        for (let from = 0; from < size; from++) {
          const probability = alphas[token - 1][from];
          for (let to = 0; to < size; to++) alpha[to] += probability * moves[from][to];
        }
        for (let to = 0; to < size; to++) alpha[to] *= row[to];
      }
      const scale = alpha.reduce((sum, value) => sum + value, 0);
      scales.push(scale);
      alphas.push(alpha.map((value) => value / scale));
    }
    // The weight of each label and of what follows it, scaled like alpha; and the sums before it.
    const later = [];
    const betas = [];
    betas[last] = new Float64Array(size).fill(1);
    for (let token = last; token > 0; token--) {
      later[token] = weights[token].map((weight, label) => weight * betas[token][label] / scales[token]);
      betas[token - 1] = new Float64Array(size);
      for (let from = 0; from < size; from++) {
        let sum = 0;
        for (let to = 0; to < size; to++) sum += moves[from][to] * later[token][to];
        betas[token - 1][from] = sum;
      }
    }
    return spans.map(([role, first, end]) => {
      let probability = alphas[first][labels[first]];
      for (let token = first + 1; token <= end; token++) {
        probability *= moves[labels[token - 1]][labels[token]] * weights[token][labels[token]] / scales[token];
      }
      const inside = roles.indexOf(`I-${role}`);
      const continued = end < last && inside >= 0 ? moves[labels[end]][inside] * later[end + 1][inside] : 0;
      return probability * Math.max(0, betas[end][labels[end]] - continued);
    });
  }
}

/** The spans of BIO labels as [role, first, last]. */
export function spansOf(tags) {
  const spans = [];
  tags.forEach((tag, token) => {
    if (tag.startsWith("B-")) spans.push([tag.slice(2), token, token]);
    else if (tag !== "O") spans.at(-1)[2] = token;
  });
  return spans;
}

/** The labels without some spans, and without C-X and R-X whose X is left out. V stays. */
function withoutArguments(tags, spans, isOut) {
  const kept = [...tags];
  const isFirstOut = new Map();
  spans.forEach(([role, first, last], i) => {
    const base = role.replace(/^C-/, "");
    if (role === base || !isFirstOut.has(base)) isFirstOut.set(base, isOut[i]);
    if (base !== "V" && (isOut[i] || isFirstOut.get(base))) kept.fill("O", first, last + 1);
  });
  if (kept.every((tag, token) => tag === tags[token])) return kept;
  const left = new Set(spansOf(kept).map(([role]) => role));
  for (const [role, first, last] of spansOf(kept)) {
    if (role.startsWith("R-") && !left.has(role.slice(2))) kept.fill("O", first, last + 1);
  }
  return kept;
}
