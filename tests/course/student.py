"""Ten parts as a student types them, a cell each, in other styles than ours."""

CELLS = """
def scaled_dot_product_attention(query, key, value, mask=None):
    scores = torch.einsum("...qd,...kd->...qk", query, key)
    scores = scores * key.shape[-1] ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    return scores.softmax(-1).nan_to_num() @ value
# ---
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x):
        var, mean = torch.var_mean(x, -1, unbiased=False, keepdim=True)
        normal = torch.rsqrt(var + self.eps) * (x - mean)
        return normal * self.weight + self.bias
# ---
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.h = n_heads
        for name in ["q_proj", "k_proj", "v_proj", "out_proj"]:
            setattr(self, name, nn.Linear(d_model, d_model))

    def forward(self, query, key, value, mask=None):
        q = self.q_proj(query).chunk(self.h, -1)
        k = self.k_proj(key).chunk(self.h, -1)
        v = self.v_proj(value).chunk(self.h, -1)
        heads = [
            scaled_dot_product_attention(q[i], k[i], v[i], mask)
            for i in range(self.h)
        ]
        return self.out_proj(torch.cat(heads, -1))
# ---
def padding_mask(ids):
    return ids.ne(PAD)[:, None, :]
# ---
def causal_mask(n):
    i = torch.arange(n)
    return i[:, None] >= i[None, :]
# ---
class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_length=512, dropout=0.1):
        super().__init__()
        place = torch.arange(max_length)[:, None]
        speed = torch.exp(
            torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model)
        )
        pe = torch.zeros(max_length, d_model)
        pe[:, 0::2] = torch.sin(place * speed)
        pe[:, 1::2] = torch.cos(place * speed)
        self.register_buffer("pe", pe, persistent=False)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        return self.drop(x + self.pe[: x.size(1)])
# ---
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        return self.linear2(self.linear1(x).clamp(min=0))
# ---
class TokenEmbedding(nn.Module):
    def __init__(self, vocab_size, d_model):
        super().__init__()
        rows = torch.randn(vocab_size, d_model)
        self.weight = nn.Parameter(rows / d_model**0.5)

    def forward(self, ids):
        return self.weight[ids] * self.weight.shape[1] ** 0.5

    def logits(self, x):
        return x @ self.weight.T
# ---
class EncoderLayer(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.norm1, self.norm2 = LayerNorm(d_model), LayerNorm(d_model)
        self.dropout, self.first = nn.Dropout(dropout), norm_first

    def forward(self, x, mask=None):
        if self.first:
            y = self.norm1(x)
            x = x + self.dropout(self.self_attention(y, y, y, mask))
            return x + self.dropout(self.feed_forward(self.norm2(x)))
        x = self.norm1(x + self.dropout(self.self_attention(x, x, x, mask)))
        return self.norm2(x + self.dropout(self.feed_forward(x)))
# ---
class DecoderLayer(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, dropout=0.1, norm_first=False):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.norm1 = LayerNorm(d_model)
        self.norm2 = LayerNorm(d_model)
        self.norm3 = LayerNorm(d_model)
        self.dropout, self.first = nn.Dropout(dropout), norm_first

    def forward(self, x, memory, mask=None, memory_mask=None):
        steps = [
            (self.norm1, lambda y: self.self_attention(y, y, y, mask)),
            (
                self.norm2,
                lambda y: self.cross_attention(y, memory, memory, memory_mask),
            ),
            (self.norm3, self.feed_forward),
        ]
        for norm, step in steps:
            if self.first:
                x = x + self.dropout(step(norm(x)))
            else:
                x = norm(x + self.dropout(step(x)))
        return x
# ---
class Transformer(nn.Module):
    def __init__(self, vocab_size, d_model, n_heads, d_ff, n_layers,
                 dropout=0.1, norm_first=False):
        super().__init__()
        sizes = (d_model, n_heads, d_ff, dropout, norm_first)
        self.embedding = TokenEmbedding(vocab_size, d_model)
        self.positions = PositionalEncoding(d_model, dropout=dropout)
        self.encoder = nn.ModuleList()
        self.decoder = nn.ModuleList()
        for _ in range(n_layers):
            self.encoder.append(EncoderLayer(*sizes))
            self.decoder.append(DecoderLayer(*sizes))
        last = LayerNorm if norm_first else nn.Identity
        self.encoder_norm, self.decoder_norm = last(d_model), last(d_model)

    def encode(self, source, mask):
        x = self.positions(self.embedding(source))
        for layer in self.encoder:
            x = layer(x, mask)
        return self.encoder_norm(x)

    def decode(self, target, memory, memory_mask):
        x = self.positions(self.embedding(target))
        mask = causal_mask(target.size(1)).to(target.device)
        for layer in self.decoder:
            x = layer(x, memory, mask, memory_mask)
        return self.embedding.logits(self.decoder_norm(x))

    def forward(self, source, target):
        mask = padding_mask(source)
        return self.decode(target, self.encode(source, mask), mask)
# ---
def label_smoothing_loss(logits, labels, epsilon):
    real = labels != PAD
    log_p = logits.log_softmax(-1)
    right = log_p.gather(-1, labels[..., None])[..., 0]
    each = -(1 - epsilon) * right - epsilon * log_p.mean(-1)
    return (each * real).sum(), real.sum()
# ---
def learning_rate(step, d_model, warmup):
    if step < warmup:
        return step / math.sqrt(d_model * warmup**3)
    return 1 / math.sqrt(d_model * step)
# ---
def train_step(model, batch, optimizer, lr):
    source, target_in, target_out = batch
    model.train()
    for group in optimizer.param_groups:
        group["lr"] = lr
    logits = model(source, target_in)
    total, count = label_smoothing_loss(logits, target_out, 0.1)
    loss = total / count
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return loss.item()
# ---
@torch.no_grad()
def greedy_decode(model, source, max_length):
    training = model.training
    model.eval()
    mask = padding_mask(source)
    memory = model.encode(source, mask)
    said = torch.full((len(source), 1), BOS, device=source.device)
    over = torch.zeros(len(source), dtype=torch.bool, device=source.device)
    while said.shape[1] <= max_length and not over.all():
        best = model.decode(said, memory, mask)[:, -1].argmax(-1)
        best[over] = PAD
        over |= best == EOS
        said = torch.cat([said, best[:, None]], 1)
    model.train(training)
    return said[:, 1:]
""".split("# ---\n")
