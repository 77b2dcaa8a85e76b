/*
 * Labels English by the files of `lisa export --format onnx`.
 */

import { argmax, decodeHeads, decodeHeadTags, decodeTags, RoleDecoder, rowsOf, spansOf } from "./decoding.js";
import { Tokenizer } from "./tokenizer.js";

/** Endings of inflected forms, and what their lemmas have instead. */
const ENDINGS = [
  [/ies$/, "y"], [/es$/, "e"], [/es$/, ""], [/s$/, ""], [/ied$/, "y"], [/ed$/, "e"], [/ed$/, ""], [/ing$/, "e"],
  [/ing$/, ""], [/(.)\1(?:ed|ing)$/, "$1"],
];

const VERB_TAGS = ["B-V", "I-V", "B-C-V", "I-C-V"];

const PARTICLE = "compound:prt";

export class Labeller {
  /**
   * `read` gets a file of the folder as a Uint8Array, by its name; `ort` is ONNX Runtime's module.
   */
  static async open(read, ort) {
    const options = { graphOptimizationLevel: "all" };
    const parsed = async (name) => JSON.parse(new TextDecoder().decode(await read(name)));
    const session = async (name) => ort.InferenceSession.create(await read(name), options);
    const [model, vocabulary, rules, ...sessions] = await Promise.all([
      parsed("decoding.json"), parsed("vocabulary.json"), parsed("tokenizer.json"),
      ...["words", "encode", "attend", "score"].map((name) => session(`${name}.onnx`)),
    ]);
    return new Labeller(model, vocabulary, new Tokenizer(rules), sessions, ort);
  }

  constructor(model, vocabulary, tokenizer, [vectors, encode, attend, score], ort) {
    Object.assign(this, { model, tokenizer, vectors, encode, attend, score, ort });
    this.roleDecoder = new RoleDecoder(model);
    this.brackets = new Map(Object.entries(model.brackets));
    this.senses = new Map([...Object.entries(model.families), ...Object.entries(model.candidates)]);
    this.indices = Object.fromEntries(Object.entries(vocabulary).map(
      ([name, entries]) => [name, new Map(entries.map((entry, index) => [entry, index]))]));
  }

  /**
   * The labelled sentences of a text, in the form of `lisa predict`. `progress(done, all)` is awaited
   * after each of them.
   */
  async label(text, progress = () => {}) {
    const labelled = [];
    const sentences = this.tokenizer.sentences(text);
    for (const words of sentences) {
      labelled.push(await this.labelWords(words));
      await progress(labelled.length, sentences.length);
    }
    return labelled;
  }

  async labelWords(words) {
    const { model } = this;
    const { vectors } = await this.vectors.run(this.inputs(words));
    const shape = [1, words.length];
    const batch = { vectors: new this.ort.Tensor("float32", vectors.data, [...shape, vectors.dims[1]]) };
    const { joint_logits: joint, below, arc_scores: arcs, ...inputs } = await this.encode.run(batch);
    const attending = arcs ? { below, arc_scores: arcs, given_heads: this.tensor(words.map(() => -1), shape) } : { below };
    const { states } = await this.attend.run(attending);
    const tags = decodeTags(rowsOf(joint), model);
    const predicates = words.map((_, i) => i).filter((i) => tags[i].probability > model.predicate_threshold);
    const answer = { words, pos: tags.map(({ tag }) => model.pos[tag]), predicates };
    inputs.states = states;
    // The graph needs a frame.
    const places = predicates.length > 0 ? predicates : [0];
    inputs.frames = this.tensor(places.flatMap((place) => [0, place]), [places.length, 2]);
    const candidates = places.map((place) => this.candidates(words[place]));
    const most = Math.max(1, ...candidates.map((own) => own.length));
    if (this.score.inputNames.includes("candidates")) {
      const padded = candidates.flatMap((own) => [...own, ...new Array(most - own.length).fill(-1)]);
      inputs.candidates = this.tensor(padded, [places.length, most]);
    }
    const heads = arcs && decodeHeads(rowsOf(arcs));
    if (heads) inputs.head_indices = this.tensor(heads, shape);
    const scores = await this.score.run(inputs);
    if (heads) {
      const labels = decodeHeadTags(rowsOf(scores.head_tag_logits), heads, model.root_label);
      answer.predicted_heads = heads.map((head, token) => (head === token ? 0 : head + 1));
      answer.predicted_dependencies = labels.map((label) => model.head_tags[label]);
    }
    const roles = rowsOf(scores.role_logits);
    answer.verbs = predicates.map((index, frame) => {
      const rows = roles.slice(frame * words.length, (frame + 1) * words.length);
      const frameTags = this.roleDecoder.decode(rows, index);
      const isParticle = (_, token) => token !== index && (VERB_TAGS.includes(frameTags[token])
        || (heads?.[token] === index && answer.predicted_dependencies[token] === PARTICLE));
      const particles = words.filter(isParticle).map((particle) => particle.toLowerCase());
      const senses = scores.sense_logits
        && this.sense(candidates[frame], particles, rowsOf(scores.sense_logits)[frame]);
      return { verb: words[index], index, tags: frameTags, spans: spansOf(frameTags), ...senses };
    });
    return answer;
  }

  /**
   * The rolesets that a predicate may have. A form that was not in the training data has those of the
   * first lemma that is known; LemmInflect, which Python has for this, knows more.
   */
  candidates(word) {
    const form = word.toLowerCase();
    const lemmas = ENDINGS.filter(([ending]) => ending.test(form)).map(([ending, end]) => form.replace(ending, end));
    return [form, ...lemmas].map((lemma) => this.senses.get(lemma)).find(Boolean) ?? [];
  }

  /**
   * The best of the rolesets that fit a predicate's particles, as `SenseNames` in Python chooses it,
   * without PropBank's inventory.
   */
  sense(candidates, particles, scores) {
    if (candidates.length === 0) return {};
    const ownParticles = (candidate) => {
      const sense = this.model.senses[candidate];
      return sense.slice(0, sense.lastIndexOf(".")).split("_").slice(1);
    };
    const fitting = candidates.filter((candidate) => ownParticles(candidate).every((own) => particles.includes(own)));
    const most = Math.max(...fitting.map((candidate) => ownParticles(candidate).length));
    const narrowed = fitting.filter((candidate) => ownParticles(candidate).length === most);
    const rest = narrowed.length > 0 ? narrowed : candidates;
    const sense = this.model.senses[rest[argmax(rest.map((candidate) => scores[candidates.indexOf(candidate)]))]];
    return { lemma: sense.slice(0, sense.lastIndexOf(".")), sense };
  }

  inputs(words) {
    const inputs = {};
    const forms = words.map((word) => this.brackets.get(word) ?? [...word].slice(0, this.model.longest_word).join(""));
    for (const { name, kind, lowercase } of this.model.inputs) {
      const indexOf = (entry) => this.indices[name].get(entry) ?? 1;
      if (kind === "words") {
        const rows = forms.map((form) => indexOf(lowercase ? form.toLowerCase() : form));
        inputs[name] = this.tensor(rows, [rows.length]);
      } else {
        const characters = forms.map((form) => [...form].map(indexOf));
        const longest = Math.max(...characters.map((row) => row.length));
        const padded = characters.flatMap((row) => [...row, ...new Array(longest - row.length).fill(0)]);
        inputs[name] = this.tensor(padded, [forms.length, longest]);
      }
    }
    return inputs;
  }

  tensor(values, dims) {
    return new this.ort.Tensor("int32", Int32Array.from(values), dims);
  }
}
