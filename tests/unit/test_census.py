"""The census reads what stands in a causal text attention, and nothing else in a model file."""

import ast

import pytest

from book.atlas.census import IDEAS, labels, stored
from book.atlas.census.ideas import found
from book.atlas.census.model_file import ModelFile

# A model with nothing but a table of sines; a test puts one idea into it.
MODEL = '''
def rotate(q, k, places):
    """RoPE: apply_rotary_pos_emb(q, k)."""
    return q, k

{functions}

class TowerAttention(nn.Module):
    def __init__(self, config):
        self.q_norm, self.sinks = RMSNorm(8), nn.Parameter(torch.empty(4))
        self.is_causal = False

    def forward(self, x):
        query, key = apply_rotary_pos_emb(self.q_norm(query), key)
        return self.interface(query, key, softcap=self.cap) * torch.sigmoid(self.gate(x))

class Tower(TestPreTrainedModel):
    def __init__(self, config):
        self.places = nn.Embedding(config.max_position_embeddings, 8)
        self.attention = TowerAttention(config)

{classes}

class TestAttention(nn.Module):
    # ALiBi, q_norm, sliding_window, kv_lora_rank, lambda_q1, num_key_value_heads
    def __init__(self, config, layer: int):
        """With build_alibi_tensor, apply_rotary_pos_emb and self.sinks."""
        self.q_proj = nn.Linear(8, 8)
        self.k_proj = nn.Linear(8, 8)
        {made}

    def forward(self, hidden_states, position_embeddings, attention_mask, cache=None):
        query_states = self.q_proj(hidden_states)
        key_states = self.k_proj(hidden_states)
        {queries}
        if cache is not None:
            key_states, value_states = cache.update(key_states, value_states, self.layer)
        attn_output = self.interface(query_states, key_states, value_states{handed})
        {output}
        return self.o_proj(attn_output)

class TestModel(TestPreTrainedModel):
    def __init__(self, config):
        self.tokens = nn.Embedding(config.vocab_size, 8)
        self.layers = nn.ModuleList([TestAttention(config, 0)])
        {model}

    def forward(self, input_ids):
        mask = {mask}(input_ids)
        x = self.tokens(input_ids) {places}
        {around}
        return self.layers[0](x, position_embeddings, mask)

class TestForConditionalGeneration(TestPreTrainedModel):
    def __init__(self, config):
        self.tower = Tower(config)
        self.model = TestModel(config)
'''
PLAIN = {
    "functions": "",
    "classes": "",
    "made": "",
    "queries": "",
    "handed": "",
    "output": "",
    "model": "",
    "mask": "create_causal_mask",
    "places": "+ torch.sin(self.angles)",
    "around": "",
}
ROTATION = "query_states, key_states = apply_rotary_pos_emb(query_states, key_states, cos, sin)"
INDEXER = """
class Indexer(nn.Module):
    def forward(self, x, cache):
        keys = cache.update_indexer(self.k_norm(key_states))
        return (x @ keys.mT).topk(8).indices
"""
ROUTER = """
class Router(nn.Module):
    def forward(self, x):
        return (x @ self.experts).topk(2).indices
"""
DELTA = """
class GatedDeltaNet(nn.Module):
    def forward(self, x):
        return chunk_gated_delta_rule(x)
"""
CROSS = f"""
class TestCrossAttention(nn.Module):
    def forward(self, x, cache):
        {ROTATION}
        key_states, value_states = cache.update(key_states, value_states, 0)
"""
# What is put into the model, and what the census is to find there.
PRESENT = {
    "learned_abs": {"model": "self.wpe = nn.Embedding(config.max_position_embeddings, 8)"},
    "alibi": {"around": "bias = build_alibi_tensor(mask)"},
    "diff": {"made": "self.lambda_q1, self.lambda_k1 = nn.Parameter(a), nn.Parameter(b)"},
    "attn_softcap": {"handed": ", softcap=self.config.attn_logit_softcapping"},
    "rope": {"queries": ROTATION},
    "gqa": {"made": "self.v_proj = nn.Linear(8, config.num_key_value_heads * 2)"},
    "sliding": {"handed": ", sliding_window=self.sliding_window"},
    "qknorm": {
        "made": "self.q_norm = TestRMSNorm(8)",
        "queries": "query_states = self.q_norm(query_states.view(1, 2)).transpose(1, 2)",
    },
    "outgate": {"output": "attn_output = attn_output * torch.sigmoid(self.gate(hidden_states))"},
    "mla": {"made": "self.kv_a = nn.Linear(8, config.kv_lora_rank)"},
    "nope": {"places": ""},
    "sinks": {"made": "self.sinks = nn.Parameter(torch.empty(4))"},
    "topk_index": {"classes": INDEXER, "made": "self.indexer = Indexer()"},
    "temp_by_len": {"queries": "query_states = query_states * torch.log(positions + 1)"},
    "linear": {"classes": DELTA, "model": "self.first = GatedDeltaNet()"},
    "t5bias": {"made": "self.relative_attention_bias = nn.Embedding(32, 4)"},
}
OPTIONS = "class TestConfig:\n    sliding_window: int = 512\n    vocab_size: int = 100\n"


def layers(options=OPTIONS, **parts):
    text = MODEL.format(**(PLAIN | parts))
    ast.parse(text)
    return ModelFile(text, options).text_layers


def test_every_idea_is_tried():
    assert list(PRESENT) == [idea.name for idea in IDEAS]


def test_comments_towers_and_functions_that_nobody_calls_count_for_nothing():
    assert found(layers()) == []
    assert found(layers(model="self.tower = Tower(config)")) == []


@pytest.mark.parametrize("idea", PRESENT)
def test_an_idea_is_found_where_it_stands(idea):
    assert found(layers(**PRESENT[idea])) == [idea]


@pytest.mark.parametrize(
    ("idea", "parts"),
    [
        pytest.param("attn_softcap", {"handed": ", softcap=None"}, id="no cap is handed over"),
        pytest.param(
            "attn_softcap",
            {"functions": "def interface(q, softcap=None):\n    return torch.tanh(q / softcap)"},
            id="a function would take a cap",
        ),
        pytest.param(
            "gqa",
            {"made": "self.groups, self.c = config.num_key_value_heads, config.kv_lora_rank"},
            id="MLA makes the keys",
        ),
        pytest.param(
            "qknorm",
            {
                "made": "self.q_a_norm = TestRMSNorm(8)",
                "queries": "query_states = self.q_b_proj(self.q_a_norm(self.q_a_proj(x)))",
            },
            id="the norm of a latent",
        ),
        pytest.param(
            "qknorm",
            {
                "made": "self.clip = TestL2Clip(8)",
                "queries": "query_states = self.clip(query_states)",
            },
            id="a clip",
        ),
        pytest.param(
            "outgate",
            {"output": "attn_output = attn_output * torch.sigmoid(lse - module.sinks)"},
            id="a sink taken off",
        ),
        pytest.param(
            "topk_index", {"classes": ROUTER, "made": "self.router = Router()"}, id="a router"
        ),
        pytest.param(
            "temp_by_len",
            {
                "functions": "def bucket(positions):\n    return torch.log(positions)",
                "queries": "distances = bucket(positions)",
            },
            id="a bucket",
        ),
        pytest.param(
            "nope", {"places": "", "model": "self.wpe = nn.Embedding(n_positions, 8)"}, id="a table"
        ),
        pytest.param(
            "nope",
            {"queries": f"if position_embeddings is not None:\n            {ROTATION}"},
            id="a guard that never closes",
        ),
        pytest.param(
            "rope",
            {"classes": CROSS, "model": "self.cross = TestCrossAttention()"},
            id="attention to another sequence",
        ),
        pytest.param("linear", {"classes": DELTA}, id="a class that nobody makes"),
    ],
)
def test_what_only_looks_like_an_idea_is_left_out(idea, parts):
    assert idea not in found(layers(**parts))


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param({"queries": f"if self.use_rope:\n            {ROTATION}"}, id="by layer"),
        pytest.param(
            {
                "queries": f"if position_embeddings is not None:\n            {ROTATION}",
                "around": "position_embeddings = {t: None if t in full else r(t) for t in types}",
            },
            id="by what the model hands over",
        ),
    ],
)
def test_a_rotation_that_some_layers_leave_out_is_found(parts):
    assert found(layers(**parts)) == ["rope", "nope"]


def test_a_window_counts_only_where_the_configuration_has_one():
    parts = PRESENT["sliding"]
    assert found(layers(**parts)) == ["sliding"]
    assert found(layers(options="class TestConfig:\n    vocab_size: int = 100\n", **parts)) == []


@pytest.mark.parametrize(
    ("was", "becomes"),
    [
        pytest.param("create_causal_mask", "create_bidirectional_mask", id="no causal mask"),
        pytest.param("cache.update(", "cache.append(", id="no cache of keys"),
        pytest.param("config.vocab_size", "config.num_channels", id="no tokens"),
        pytest.param(
            "nn.ModuleList([TestAttention(config, 0)])", "AutoModel(config)", id="not here"
        ),
    ],
)
def test_a_file_without_a_causal_text_attention_is_left_out(was, becomes):
    text = MODEL.format(**PLAIN)
    assert was in text
    assert ModelFile(text).text_layers is not None
    assert ModelFile(text.replace(was, becomes)).text_layers is None


def test_a_file_counts_without_a_class_of_a_causal_language_model():
    assert "ForCausalLM" not in MODEL
    assert [one.name for one in layers().attentions] == ["TestAttention"]


def test_labels_are_compared_part_by_part():
    read = {name: {"rope"} for name in "abcdefgh"} | {"x": None}
    answers = {name: ["rope"] for name in "abcdefg"} | {"x": ["gqa"]}
    compared = labels.compared(answers, read, ["rope", "gqa"])
    total = [
        sum(counts) for counts in zip(*(part["rope"] for part in compared.values()), strict=True)
    ]
    assert total == [7, 0, 1]
    assert labels.errors(answers, read) == {"h": {"counted", "rope"}, "x": {"counted", "gqa"}}
    parts = labels.parts(read, {"h"})
    assert [len(parts[part]) for part in labels.PARTS] == [6, 2, 1]


def test_labels_have_three_files_of_each_year_and_each_idea_where_so_many_are():
    read = labels.labels()
    ideas = {idea.name for idea in IDEAS}
    assert {idea for said in read.values() for idea in said or ()} == ideas
    counted = stored()
    for idea in ideas:
        have = sum(idea in file["ideas"] for file in counted.files.values())
        assert sum(idea in (said or ()) for said in read.values()) >= min(3, have)
    years = {name: file["year"] for name, file in counted.files.items() if name in read}
    for first, last in ((2000, 2022), (2023, 2023), (2024, 2024), (2025, 2025), (2026, 2026)):
        assert sum(first <= year <= last for year in years.values()) >= 3


@pytest.mark.parametrize(
    ("model", "idea", "there"),
    [
        ("kimi_linear", "linear", True),
        ("bailing_hybrid", "linear", True),
        ("gemma4", "attn_softcap", False),
        ("cohere2", "nope", True),
        ("jamba", "nope", True),
        ("jamba", "rope", False),
        ("nemotron_h", "nope", True),
        ("zamba", "nope", True),
        ("inkling2", "rope", False),
        ("inkling2", "t5bias", True),
        *((name, "mla", True) for name in ("mistral_large4", "glm5_next", "hy_v4_vl")),
        *((name, "rope", True) for name in ("muse_spark", "muse_glimmer", "step3p7")),
        ("diffusion_gemma", "rope", True),
    ],
)
def test_what_the_census_once_had_wrong(model, idea, there):
    assert (idea in stored().files[model]["ideas"]) == there
